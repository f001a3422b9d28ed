//! The shipped tables are the ones we meant, and a table with a slip in it is told where.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::*;

fn shipped_with(change: impl Fn(&mut TableTexts<'_>)) -> Result<Tables, TableError> {
    let mut texts = TableTexts::shipped();
    change(&mut texts);
    Tables::read(&texts)
}

#[test]
fn a_frigate_carries_what_its_row_says() {
    let tables = Tables::shipped();
    let frigate = tables.hull_named("frigate").unwrap();
    assert_eq!((frigate.id, frigate.hp, frigate.speed_max), (3, 700.0, [15.0, 0.0, 0.0]));
    let rounds: Vec<(u8, u32)> = tables.mounts[usize::from(frigate.id)]
        .mounts
        .iter()
        .map(|mount| (mount.weapon, mount.rounds))
        .collect();
    let expected = [(0, 400), (0, 400), (1, 200), (1, 200), (4, 4), (4, 4), (5, 8), (6, 40)];
    assert_eq!(rounds, expected);
    assert_eq!(tables.sensors.hulls[3].radar_m, 16_000.0);
}

#[test]
fn angles_are_held_in_radians() {
    let tables = Tables::shipped();
    assert_eq!(tables.hull_named("skimmer").unwrap().turn_rate, std::f32::consts::FRAC_PI_4);
    assert_eq!(tables.weapon_named("medium_gun").unwrap().dispersion, 0.004);
}

#[test]
fn only_submarines_go_below() {
    let divers: Vec<&str> = Tables::shipped()
        .hulls
        .iter()
        .filter(|hull| hull.enters(1))
        .map(|hull| hull.name.as_str())
        .collect();
    assert_eq!(divers, ["attack_sub", "deep_sub"]);
}

#[test]
fn every_doctrine_that_ships_has_figures() {
    let names: Vec<&str> = Tables::shipped().doctrines.keys().map(String::as_str).collect();
    assert_eq!(names, ["drifter", "line", "pursuer", "wolfpack"]);
    assert_eq!(Tables::shipped().doctrines["wolfpack"].torpedo_spread_least, 2);
}

#[test]
fn one_changed_figure_changes_its_tables_hash_and_no_other() {
    let text = TableTexts::shipped().weather.replace("0.95, 1.0, 1.0]", "0.94, 1.0, 1.0]");
    let mut texts = TableTexts::shipped();
    texts.weather = &text;
    let changed = Tables::read(&texts).unwrap();
    let shipped = Tables::shipped();
    let differing: Vec<&String> = shipped
        .hashes
        .iter()
        .filter(|(name, hash)| changed.hashes[*name] != **hash)
        .map(|(name, _)| name)
        .collect();
    assert_eq!(differing, ["weather"]);
    assert_ne!(changed.content_hash(), shipped.content_hash());
}

#[test]
fn a_remark_in_a_table_does_not_change_its_hash() {
    let text = format!("# a remark\n{}", TableTexts::shipped().crew);
    let mut texts = TableTexts::shipped();
    texts.crew = &text;
    assert_eq!(Tables::read(&texts).unwrap().hashes, Tables::shipped().hashes);
}

#[test]
fn slips_are_told_with_their_place() {
    let error = shipped_with(|texts| texts.links = "version = 2").unwrap_err();
    assert_eq!((error.table, error.path.as_str()), ("links", "line 1"));
    assert!(error.problem.contains("version 2"), "{error}");

    let twice = TableTexts::shipped().hulls.replace("name = \"cutter\"", "name = \"skimmer\"");
    let error = read_with_hulls(&twice);
    assert_eq!((error.table, error.path.as_str()), ("mounts", "hull[1].hull"));

    let no_speed = TableTexts::shipped().hulls.replace("hp = 300.0", "hp = nan");
    assert_eq!(read_with_hulls(&no_speed).path, "[2].hp");

    let misspelt = TableTexts::shipped().hulls.replace("hp = 300.0", "hitpoints = 300.0");
    assert!(read_with_hulls(&misspelt).problem.contains("hitpoints"));
}

fn read_with_hulls(text: &str) -> TableError {
    let mut texts = TableTexts::shipped();
    texts.hulls = text;
    Tables::read(&texts).unwrap_err()
}

#[test]
fn the_fields_of_the_table_are_those_of_the_substrate() {
    use astrarium_morphospace::{Ambient, Field, Presets};
    let fields = &Tables::shipped().fields;
    assert_eq!(fields.rates(), Field::ALL.map(Field::standard_rate));
    assert_eq!(fields.presets, Presets::STANDARD);
    for (sea_state, daylight) in [(0.0, 1.0), (7.0, 0.25)] {
        let (ours, theirs) =
            (fields.ambient(sea_state, daylight), Ambient::sea(sea_state, daylight));
        for field in Field::ALL {
            for slab in 0..3 {
                assert_eq!(ours.of(field, slab), theirs.of(field, slab), "{field:?} {slab}");
            }
        }
    }
}

#[test]
fn a_field_keeps_its_place_and_its_range() {
    let changed = |from: &str, to: &str| {
        let text = TableTexts::shipped().fields.replacen(from, to, 1);
        let mut texts = TableTexts::shipped();
        texts.fields = &text;
        Tables::read(&texts)
    };
    let error = changed("range = [0.0, 255.0]", "range = [0.0, 99.0]").unwrap_err();
    assert_eq!((error.table, error.path.as_str()), ("fields", "field[1].range"));
    let error = changed("name = \"smoke\"", "name = \"fog\"").unwrap_err();
    assert_eq!(error.path, "field[4].name");
    let error = changed("aggregate = \"mode\"", "aggregate = \"max\"").unwrap_err();
    assert_eq!(error.path, "field[1].aggregate");
    let foggy = changed("smoke = 0.3", "smoke = 0.6").unwrap();
    assert_eq!(foggy.fields.presets.fire.smoke, 0.6);
    assert_ne!(foggy.hashes["fields"], Tables::shipped().hashes["fields"]);
}

#[test]
fn chances_must_add_up() {
    let text = TableTexts::shipped().layers.replace("return_chance = 0.6", "return_chance = 0.7");
    let mut texts = TableTexts::shipped();
    texts.layers = &text;
    let error = Tables::read(&texts).unwrap_err();
    assert_eq!((error.table, error.path.as_str()), ("layers", "botched"));
}
