/** Draws its content once it comes near the screen; thirty charts at once would stall a phone. */

import { useEffect, useRef, useState, type ReactNode } from "react";

export function WhenSeen({ height, children }: { height: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || seen) return;
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: "300px" },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [seen]);
  return (
    <div ref={place} style={{ minHeight: height }}>
      {seen && children}
    </div>
  );
}
