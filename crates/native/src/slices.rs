//! NumPy arrays as slices: in C order, or refused. (The library's own check also takes the other
//! order, in which rows would be columns.)

use numpy::{Element, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors;

/// The elements, to read.
pub fn read<'a, T: Element>(name: &str, array: &'a PyReadonlyArrayDyn<'_, T>) -> PyResult<&'a [T]> {
    if !array.is_c_contiguous() {
        return Err(errors::not_contiguous(name));
    }
    array.as_slice().map_err(|_| errors::not_contiguous(name))
}

/// The elements, to write.
pub fn write<'a, T: Element>(
    name: &str,
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
) -> PyResult<&'a mut [T]> {
    if !array.is_c_contiguous() {
        return Err(errors::not_contiguous(name));
    }
    array.as_slice_mut().map_err(|_| errors::not_contiguous(name))
}

/// `slice`, if it has exactly `len` elements.
pub fn sized<S: AsRef<[T]>, T>(name: &str, slice: S, len: usize) -> PyResult<S> {
    let given = slice.as_ref().len();
    if given == len { Ok(slice) } else { Err(errors::length(name, given, len)) }
}
