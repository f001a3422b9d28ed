// Where the API is. Left undefined, the host this page came from answers.
// Example: window.ASTRARIUM_API = "https://lab.example.org";
window.ASTRARIUM_API = undefined;
