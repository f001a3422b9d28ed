//! The squares of a grid that a straight line passes through.

/// The part of the line from `from` to `to` that lies in the rectangle `[0, size]`, as shares of
/// the line, if any does.
pub(crate) fn clip(from: (f32, f32), to: (f32, f32), size: (f32, f32)) -> Option<(f32, f32)> {
    let (mut enter, mut leave) = (0.0f32, 1.0f32);
    for (start, end, size) in [(from.0, to.0, size.0), (from.1, to.1, size.1)] {
        let along = end - start;
        if along == 0.0 {
            if start < 0.0 || start > size {
                return None;
            }
            continue;
        }
        let (first, second) = ((0.0 - start) / along, (size - start) / along);
        enter = enter.max(first.min(second));
        leave = leave.min(first.max(second));
    }
    (enter < leave).then_some((enter, leave))
}

/// Visit the unit squares that the part `span` of a line passes through, in order, with the shares
/// of the line at which it enters and leaves each.
pub(crate) fn walk(
    from: (f32, f32),
    to: (f32, f32),
    span: (f32, f32),
    mut visit: impl FnMut((i32, i32), (f32, f32)),
) {
    let along = (to.0 - from.0, to.1 - from.1);
    let start = |from: f32, along: f32| (from + along * span.0).floor() as i32;
    let mut square = (start(from.0, along.0), start(from.1, along.1));
    // Worked out from the square each time: sums would drift off the grid.
    let crossing = |square: i32, from: f32, along: f32| match along {
        0.0 => f32::INFINITY,
        _ => ((square + i32::from(along > 0.0)) as f32 - from) / along,
    };
    let mut entered = span.0;
    loop {
        let across_x = crossing(square.0, from.0, along.0);
        let across_y = crossing(square.1, from.1, along.1);
        let left = across_x.min(across_y).min(span.1);
        if left > entered {
            visit(square, (entered, left));
            entered = left;
        }
        if left >= span.1 {
            return;
        }
        if across_x <= across_y {
            square.0 += if along.0 > 0.0 { 1 } else { -1 };
        } else {
            square.1 += if along.1 > 0.0 { 1 } else { -1 };
        }
    }
}
