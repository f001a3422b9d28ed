//! The header is written by hand; this keeps its prototypes equal to the exported functions.

use std::collections::BTreeMap;

const HEADER: &str = include_str!("../include/prospector.h");
const SOURCE: &str = include_str!("../src/lib.rs");

/// How each type of the boundary is spelled in C.
const TYPES: [(&str, &str); 10] = [
    ("*const *mut State", "prospector_state *const *"),
    ("*mut State", "prospector_state *"),
    ("*const Config", "const prospector_config *"),
    ("*mut Config", "prospector_config *"),
    ("*mut Result", "prospector_result *"),
    ("*const u64", "const uint64_t *"),
    ("*const u8", "const uint8_t *"),
    ("*mut f32", "float *"),
    ("u64", "uint64_t "),
    ("u32", "uint32_t "),
];

fn in_c(rust: &str) -> String {
    match rust {
        "u8" => "uint8_t ".to_owned(),
        "usize" => "size_t ".to_owned(),
        "" => "void ".to_owned(),
        _ => {
            let known = TYPES.iter().find(|(name, _)| *name == rust);
            known.unwrap_or_else(|| panic!("no C spelling of {rust:?} is known")).1.to_owned()
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prototypes of the exported Rust functions, by name.
fn exported() -> BTreeMap<String, String> {
    let functions = SOURCE.split("extern \"C\" fn ").skip(1);
    let prototype = |function: &str| {
        let signature = one_line(function.split('{').next().unwrap_or_default());
        let (name, rest) = signature.split_once('(').expect("parameters");
        let (parameters, returned) = rest.split_once(')').expect("the end of the parameters");
        let parameters: Vec<String> = parameters
            .split(',')
            .filter_map(|parameter| parameter.trim().split_once(": "))
            .map(|(name, rust)| in_c(rust) + name)
            .collect();
        let list = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let returned = in_c(returned.trim().trim_start_matches("-> "));
        (name.to_owned(), format!("{returned}{name}({list})"))
    };
    functions.map(prototype).collect()
}

/// Prototypes of the header, by name.
fn declared() -> BTreeMap<String, String> {
    let statements = HEADER.split(';').filter_map(|statement| {
        let code = statement.rsplit("*/").next().unwrap_or_default();
        let prototype = one_line(code);
        let name = prototype.split_once('(')?.0.rsplit([' ', '*']).next()?.to_owned();
        name.starts_with("prospector_").then_some((name, prototype))
    });
    statements.collect()
}

#[test]
fn every_exported_function_is_declared_as_it_is() {
    assert_eq!(exported(), declared());
    assert_eq!(exported().len(), 10);
}
