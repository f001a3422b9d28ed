//! A space of fields as a Python object, by itself and without any world.

use std::collections::BTreeMap;

use astrarium_morphospace::{Edges, FOVEA_SIZE, Falloff, Field, Op, Presets, Space, Spec, Stamp};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;

use crate::held::{Held, guarded};
use crate::{errors, slices};

type Point = (f32, f32);

/// Where on the plane: made by `disc`, `box` or `capsule`.
#[pyclass(frozen, module = "astrarium._native")]
pub struct Shape(astrarium_morphospace::Shape);

#[pymethods]
impl Shape {
    /// All within `radius` of `centre`.
    #[staticmethod]
    fn disc(centre: Point, radius: f32) -> PyResult<Self> {
        Self::sound(astrarium_morphospace::Shape::Disc { centre, radius })
    }

    /// A rectangle by half its length and width, turned by `heading` radians.
    #[staticmethod]
    #[pyo3(signature = (centre, half, heading = 0.0))]
    fn r#box(centre: Point, half: (f32, f32), heading: f32) -> PyResult<Self> {
        Self::sound(astrarium_morphospace::Shape::Box { centre, half, heading })
    }

    /// All within `radius` of the line between two points.
    #[staticmethod]
    fn capsule(start: Point, end: Point, radius: f32) -> PyResult<Self> {
        Self::sound(astrarium_morphospace::Shape::Capsule { from: start, to: end, radius })
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

impl Shape {
    fn sound(shape: astrarium_morphospace::Shape) -> PyResult<Self> {
        match shape.is_sound() {
            true => Ok(Self(shape)),
            false => Err(errors::figures("shape", &format!("{shape:?}"))),
        }
    }
}

/// What a shape holds.
#[pyclass(frozen, get_all, module = "astrarium._native")]
pub struct FieldVolume {
    /// What stands for all of it by the field's own aggregate.
    value: f32,
    mean: f32,
    variance: f32,
    min: f32,
    max: f32,
    /// Cells it stands on.
    count: u32,
}

/// One change of a stamp: field, op, value; the op `lerp` has a share besides.
#[derive(FromPyObject)]
enum Change {
    Shared(String, String, f32, f32),
    Plain(String, String, f32),
}

/// Settings of one field other than the standard ones.
#[derive(FromPyObject)]
enum Setting {
    One(f32),
    PerLayer(Vec<f32>),
}

/// Fields over a plane.
#[pyclass(frozen, module = "astrarium._native")]
pub struct MorphoSpace {
    held: Held<Space>,
    /// Cells along x and y.
    #[pyo3(get)]
    cells: (u32, u32),
    /// Layers one below the other.
    #[pyo3(get)]
    layers: u8,
}

#[pymethods]
impl MorphoSpace {
    #[new]
    #[pyo3(signature = (width, height, cell, layers = 3, fields = None, *, origin = None,
                        sea_state = 0.0, daylight = 1.0, edges = "zero_flux"))]
    #[allow(clippy::too_many_arguments, reason = "settings, all but three optional")]
    fn new(
        py: Python<'_>,
        width: f32,
        height: f32,
        cell: f32,
        layers: u8,
        fields: Option<BTreeMap<String, BTreeMap<String, Setting>>>,
        origin: Option<Point>,
        sea_state: f32,
        daylight: f32,
        edges: &str,
    ) -> PyResult<Self> {
        let mut spec = Spec::new(width, height, cell);
        spec.slabs = layers;
        spec.ambient = astrarium_morphospace::Ambient::sea(sea_state, daylight);
        spec.origin = origin.unwrap_or(spec.origin);
        spec.edges = match edges {
            "zero_flux" => Edges::ZeroFlux,
            "ambient" => Edges::Ambient,
            _ => return Err(errors::choice("edges", edges, "\"zero_flux\" or \"ambient\"")),
        };
        for (name, settings) in fields.iter().flatten() {
            set_field(&mut spec, name, settings)?;
        }
        let space = guarded(py, || Space::new(&spec).map_err(|error| errors::field(&error)))?;
        Ok(Self::of(space))
    }

    /// Back to the ambient.
    fn reset(&self) -> PyResult<()> {
        self.held.take()?.reset();
        Ok(())
    }

    /// Lay down what is there from the beginning: an array (ny, nx), rows from the smallest y.
    #[pyo3(signature = (field, values, layer = 0))]
    fn load(&self, field: &str, values: PyReadonlyArrayDyn<'_, f32>, layer: u8) -> PyResult<()> {
        let values = slices::read("values", &values)?;
        let loaded = self.held.take()?.load_static(named(field)?, layer, values);
        loaded.map_err(|error| errors::field(&error))
    }

    /// Change fields inside a shape: `mods` are (field, op, value) or (field, "lerp", value, share).
    #[pyo3(signature = (shape, mods, falloff = "none", layers = None))]
    fn stamp(
        &self,
        shape: &Shape,
        mods: Vec<Change>,
        falloff: &str,
        layers: Option<Vec<u8>>,
    ) -> PyResult<()> {
        let falloff = match falloff {
            "none" => Falloff::None,
            "linear" => Falloff::Linear,
            _ => return Err(errors::choice("falloff", falloff, "\"none\" or \"linear\"")),
        };
        let plain = Stamp::new(shape.0, self.slabs(layers)?, falloff);
        let stamps = mods.iter().map(|change| change.onto(plain)).collect::<PyResult<Vec<_>>>()?;
        let mut space = self.held.take()?;
        stamps.iter().for_each(|stamp| space.stamp(stamp));
        Ok(())
    }

    /// A blast of an intensity from 0 to 1.
    #[pyo3(signature = (pos, radius, intensity, layers = None))]
    fn explosion(
        &self,
        pos: Point,
        radius: f32,
        intensity: f32,
        layers: Option<Vec<u8>>,
    ) -> PyResult<()> {
        self.preset(Presets::STANDARD.explosion(pos, radius, intensity, self.slabs(layers)?))
    }

    /// A second of something burning.
    #[pyo3(signature = (pos, radius, intensity, layers = None))]
    fn fire(
        &self,
        pos: Point,
        radius: f32,
        intensity: f32,
        layers: Option<Vec<u8>>,
    ) -> PyResult<()> {
        self.preset(Presets::STANDARD.fire(pos, radius, intensity, self.slabs(layers)?))
    }

    /// An active sonar's pulse.
    #[pyo3(signature = (pos, radius, strength, layers = None))]
    fn ping(
        &self,
        pos: Point,
        radius: f32,
        strength: f32,
        layers: Option<Vec<u8>>,
    ) -> PyResult<()> {
        self.preset(Presets::STANDARD.ping(pos, radius, strength, self.slabs(layers)?))
    }

    /// The noise of a hull of this source level.
    #[pyo3(signature = (pos, source_db, layers = None))]
    fn wake(&self, pos: Point, source_db: f32, layers: Option<Vec<u8>>) -> PyResult<()> {
        self.preset(Presets::STANDARD.wake(pos, source_db, self.slabs(layers)?))
    }

    /// A jammer at work.
    #[pyo3(signature = (pos, radius, strength, layers = None))]
    fn jam(&self, pos: Point, radius: f32, strength: f32, layers: Option<Vec<u8>>) -> PyResult<()> {
        self.preset(Presets::STANDARD.jam(pos, radius, strength, self.slabs(layers)?))
    }

    /// Let `dt` seconds pass.
    #[pyo3(signature = (dt = 1.0))]
    fn step(&self, py: Python<'_>, dt: f32) -> PyResult<()> {
        if !(dt.is_finite() && dt > 0.0 && dt <= DT_MAX_S) {
            return Err(errors::choice("dt", dt, &format!("seconds above 0, at most {DT_MAX_S}")));
        }
        self.held.with(py, |space| {
            space.step(dt);
            Ok(())
        })
    }

    /// The value at a place: of its cell, or between the four nearest.
    #[pyo3(signature = (field, pos, layer = 0, bilinear = false))]
    fn point(&self, field: &str, pos: Point, layer: u8, bilinear: bool) -> PyResult<f32> {
        let (field, space) = (named(field)?, self.asked(layer, &[pos])?);
        Ok(if bilinear {
            space.bilinear(field, pos, layer)
        } else {
            space.point(field, pos, layer)
        })
    }

    /// What a straight line meets: the field times the way through it, and its largest value.
    #[pyo3(signature = (field, start, end, layer = 0))]
    fn ray(&self, field: &str, start: Point, end: Point, layer: u8) -> PyResult<(f32, f32)> {
        let ray = self.asked(layer, &[start, end])?.ray(named(field)?, start, end, layer);
        Ok((ray.integral, ray.max))
    }

    /// What a shape holds, from cells (level 0) or blocks of 2 to 16 cells a side (1 to 4).
    #[pyo3(signature = (field, shape, layer = 0, level = 0))]
    fn volume(&self, field: &str, shape: &Shape, layer: u8, level: u8) -> PyResult<FieldVolume> {
        let mut space = self.asked(layer, &[])?;
        let found = space.volume(named(field)?, &shape.0, layer, level);
        Ok(FieldVolume {
            value: found.value,
            mean: found.mean,
            variance: found.variance,
            min: found.min,
            max: found.max,
            count: found.count,
        })
    }

    /// An observer's surroundings, layer × shell × wedge × field, into 288 floats.
    fn foveated(
        &self,
        pos: Point,
        heading: f32,
        mut out: PyReadwriteArrayDyn<'_, f32>,
    ) -> PyResult<()> {
        let out = slices::write("out", &mut out)?;
        let given = out.len();
        let out = out.try_into().map_err(|_| errors::length("out", given, FOVEA_SIZE))?;
        self.asked(0, &[pos, (heading, 0.0)])?.foveated(pos, heading, out);
        Ok(())
    }

    /// A field of a layer as it is now: (ny, nx), rows from the smallest y, not to be written to.
    #[pyo3(signature = (field, layer = 0))]
    fn plane<'py>(
        &self,
        py: Python<'py>,
        field: &str,
        layer: u8,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (nx, ny) = (self.cells.0 as usize, self.cells.1 as usize);
        let mut values = vec![0.0; nx * ny];
        self.asked(layer, &[])?.plane(named(field)?, layer, &mut values);
        let array = PyArray1::from_vec(py, values).reshape([ny, nx])?;
        array.call_method1("setflags", (false,))?;
        Ok(array)
    }

    /// A hash of all values.
    fn state_hash(&self) -> PyResult<u64> {
        Ok(self.held.take()?.hash())
    }

    /// Tiles with a cell noticeably off its ambient.
    #[getter]
    fn active_tiles(&self) -> PyResult<u32> {
        Ok(self.held.take()?.active_tiles())
    }

    /// Tiles stored.
    #[getter]
    fn stored_tiles(&self) -> PyResult<u32> {
        Ok(self.held.take()?.stored_tiles())
    }

    /// Bytes of memory it takes.
    #[getter]
    fn memory_bytes(&self) -> PyResult<u64> {
        Ok(self.held.take()?.memory_bytes())
    }
}

/// The longest step: beyond it, inner steps would keep the caller waiting for minutes.
const DT_MAX_S: f32 = 3600.0;

impl MorphoSpace {
    /// A space that a world made.
    pub fn of(space: Space) -> Self {
        let (cells, layers) = (space.cells(), space.spec().slabs);
        Self { cells, layers, held: Held::new(space, "space", 1) }
    }

    /// The space, if it has this layer and these places can be asked about.
    fn asked(&self, layer: u8, places: &[Point]) -> PyResult<std::sync::MutexGuard<'_, Space>> {
        if let Some(place) = places.iter().find(|at| !(at.0.is_finite() && at.1.is_finite())) {
            return Err(errors::figures("place", &format!("{place:?}")));
        }
        let space = self.held.take()?;
        space.check_slab(layer).map_err(|error| errors::field(&error))?;
        Ok(space)
    }

    fn preset(&self, stamp: Stamp) -> PyResult<()> {
        if !stamp.is_sound() {
            return Err(errors::figures("stamp", &format!("{:?}", stamp.shape)));
        }
        self.held.take()?.stamp(&stamp);
        Ok(())
    }

    /// Bits of the layers named, or of all.
    fn slabs(&self, layers: Option<Vec<u8>>) -> PyResult<u16> {
        let Some(layers) = layers else { return Ok(u16::MAX) };
        let space = self.held.take()?;
        layers.iter().try_fold(0, |bits, &layer| {
            space.check_slab(layer).map_err(|error| errors::field(&error))?;
            Ok(bits | 1 << layer)
        })
    }
}

impl Change {
    /// A stamp with this change in it.
    fn onto(&self, stamp: Stamp) -> PyResult<Stamp> {
        let (field, op, value, share) = match self {
            Self::Shared(field, op, value, share) => (field, op, *value, Some(*share)),
            Self::Plain(field, op, value) => (field, op, *value, None),
        };
        let op = match (op.as_str(), share) {
            ("set", None) => Op::Set,
            ("add", None) => Op::Add,
            ("subtract", None) => Op::Subtract,
            ("multiply", None) => Op::Multiply,
            ("max", None) => Op::Max,
            ("min", None) => Op::Min,
            ("lerp", Some(share)) => Op::Lerp(share),
            _ => return Err(errors::choice("op", op, OPS)),
        };
        let stamp = stamp.with(named(field)?, op, value);
        match stamp.is_sound() {
            true => Ok(stamp),
            false => Err(errors::figures("mods", &format!("{field}, {op:?}, {value}"))),
        }
    }
}

const OPS: &str = "set, add, subtract, multiply, max or min with one number, lerp with two";

fn named(field: &str) -> PyResult<Field> {
    Field::named(field).map_err(|error| errors::field(&error))
}

/// Take over the settings of one field.
fn set_field(spec: &mut Spec, name: &str, settings: &BTreeMap<String, Setting>) -> PyResult<()> {
    let field = named(name)?;
    for (key, setting) in settings {
        let rate = &mut spec.rates[field as usize];
        match (key.as_str(), setting) {
            ("spread_per_s", Setting::One(value)) => rate.spread_per_s = *value,
            ("decay_per_s", Setting::One(value)) => rate.decay_per_s = *value,
            ("ambient", Setting::One(value)) => {
                (0..astrarium_morphospace::SLABS_MAX)
                    .for_each(|slab| spec.ambient.set(field, slab, *value));
            }
            ("ambient", Setting::PerLayer(values)) if values.len() == usize::from(spec.slabs) => {
                for (slab, value) in values.iter().enumerate() {
                    spec.ambient.set(field, slab as u8, *value);
                }
            }
            _ => {
                let fix = "ambient (a number, or one per layer), spread_per_s and decay_per_s";
                return Err(errors::choice(&format!("fields[{name:?}]"), key, fix));
            }
        }
    }
    Ok(())
}
