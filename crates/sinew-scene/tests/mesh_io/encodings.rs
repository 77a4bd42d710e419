//! The mesh of [`samples`](crate::samples) in the formats of VTK and NumPy and as PLY, and a surface in those of surfaces.

use crate::samples::{Files, NODES, TETS, TRIANGLE};
use glam::DVec3;
use sinew_scene::mesh_data::MeshData;
use std::fmt::Write;

/// Numbers as bytes of one order.
#[derive(Default)]
pub struct Bytes {
    pub all: Vec<u8>,
    pub big_endian: bool,
}

impl Bytes {
    pub fn big() -> Self {
        Self { big_endian: true, ..Self::default() }
    }

    fn push<const N: usize>(&mut self, mut little: [u8; N]) {
        if self.big_endian {
            little.reverse();
        }
        self.all.extend(little);
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.all.extend(text.as_bytes());
        self
    }

    pub fn u8s(&mut self, values: &[u8]) -> &mut Self {
        self.all.extend(values);
        self
    }

    pub fn i32s(&mut self, values: &[i32]) -> &mut Self {
        values.iter().for_each(|v| self.push(v.to_le_bytes()));
        self
    }

    pub fn i64s(&mut self, values: &[i64]) -> &mut Self {
        values.iter().for_each(|v| self.push(v.to_le_bytes()));
        self
    }

    pub fn f32s(&mut self, values: &[f64]) -> &mut Self {
        values.iter().for_each(|v| self.push((*v as f32).to_le_bytes()));
        self
    }

    pub fn f64s(&mut self, values: &[f64]) -> &mut Self {
        values.iter().for_each(|v| self.push(v.to_le_bytes()));
        self
    }
}

/// Vertices counted from 0.
fn from_zero<const N: usize>(cell: [i32; N]) -> [i32; N] {
    cell.map(|vertex| vertex - 1)
}

fn row(values: &[i32]) -> String {
    values.iter().map(i32::to_string).collect::<Vec<_>>().join(" ")
}

fn coordinates() -> Vec<f64> {
    NODES.iter().flat_map(|(_, position)| *position).collect()
}

fn lines_of_points() -> String {
    NODES.iter().map(|(_, [x, y, z])| format!("{x} {y} {z}\n")).collect()
}

const PLY: &str = "element vertex 6\nproperty uchar red\nproperty double x\nproperty double y\nproperty double z\n\
                   element face 1\nproperty list uchar int vertex_indices\nproperty float quality\n\
                   element tetrahedra 2\nproperty list uchar int vertex_indices\nend_header\n";

pub fn ply_text() -> Files {
    let mut text = format!("ply\nformat ascii 1.0\ncomment by hand\n{PLY}");
    for (_, [x, y, z]) in NODES {
        writeln!(text, "255 {x} {y} {z}").unwrap();
    }
    writeln!(text, "3 {} 0.5", row(&from_zero(TRIANGLE))).unwrap();
    TETS.iter().for_each(|(tet, _)| writeln!(text, "4 {}", row(&from_zero(*tet))).unwrap());
    vec![("sample.ply", text.into_bytes())]
}

pub fn ply_binary(big_endian: bool) -> Files {
    let mut out = Bytes { big_endian, ..Bytes::default() };
    let order = if big_endian { "big" } else { "little" };
    out.text(&format!("ply\nformat binary_{order}_endian 1.0\n{PLY}"));
    for (_, position) in NODES {
        out.u8s(&[255]).f64s(&position);
    }
    out.u8s(&[3]).i32s(&from_zero(TRIANGLE)).f32s(&[0.5]);
    for (tet, _) in TETS {
        out.u8s(&[4]).i32s(&from_zero(tet));
    }
    vec![("sample.ply", out.all)]
}

pub fn vtk_text() -> Files {
    let mut text =
        "# vtk DataFile Version 3.0\ntwo tetrahedra\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n"
            .to_owned();
    text += &lines_of_points();
    writeln!(text, "CELLS 4 17\n3 {}\n2 0 1", row(&from_zero(TRIANGLE))).unwrap();
    TETS.iter().for_each(|(tet, _)| writeln!(text, "4 {}", row(&from_zero(*tet))).unwrap());
    text +=
        "CELL_TYPES 4\n5\n3\n10\n10\nPOINT_DATA 6\nSCALARS heat float 1\nLOOKUP_TABLE default\n1 2 3 4 5 6\n";
    text += "CELL_DATA 4\nSCALARS region int 1\nLOOKUP_TABLE default\n0 0 7 8\n";
    vec![("sample.vtk", text.into_bytes())]
}

pub fn vtk_binary() -> Files {
    let mut out = Bytes::big();
    out.text(
        "# vtk DataFile Version 3.0\ntwo tetrahedra\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n",
    );
    out.f64s(&coordinates()).text("\nCELLS 3 14\n").i32s(&[3]).i32s(&from_zero(TRIANGLE));
    for (tet, _) in TETS {
        out.i32s(&[4]).i32s(&from_zero(tet));
    }
    out.text("\nCELL_TYPES 3\n")
        .i32s(&[5, 10, 10])
        .text("\nCELL_DATA 3\nFIELD FieldData 1\nmedit:ref 1 3 int\n");
    out.i32s(&[0, 7, 8]).text("\n");
    vec![("sample.vtk", out.all)]
}

/// Version 5.1, with offsets.
pub fn vtk_five() -> Files {
    let mut out = Bytes::big();
    out.text(
        "# vtk DataFile Version 5.1\ntwo tetrahedra\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n",
    );
    out.f64s(&coordinates()).text("\nMETADATA\nINFORMATION 0\n\nCELLS 4 11\nOFFSETS vtktypeint64\n");
    out.i64s(&[0, 3, 7, 11]).text("\nCONNECTIVITY vtktypeint64\n");
    let cells = from_zero(TRIANGLE).into_iter().chain(TETS.iter().flat_map(|(tet, _)| from_zero(*tet)));
    out.i64s(&cells.map(i64::from).collect::<Vec<_>>());
    out.text("\nCELL_TYPES 3\n")
        .i32s(&[5, 10, 10])
        .text("\nCELL_DATA 3\nSCALARS region int 1\nLOOKUP_TABLE default\n");
    out.i32s(&[0, 7, 8]).text("\n");
    vec![("sample.vtk", out.all)]
}

/// How the arrays of a VTU file are written.
#[derive(Clone, Copy, PartialEq)]
pub enum Vtu {
    Text,
    Base64,
    Raw,
    Zlib,
    RawZlib,
}

pub fn vtu(how: Vtu) -> Files {
    let mut bytes: Vec<(&str, &str, Vec<u8>, String)> = Vec::new();
    let mut add = |tag: &'static str, name: &'static str, fill: &dyn Fn(&mut Bytes), text: String| {
        let mut out = Bytes::default();
        fill(&mut out);
        bytes.push((tag, name, out.all, text));
    };
    let cells: Vec<i32> =
        from_zero(TRIANGLE).into_iter().chain(TETS.iter().flat_map(|(t, _)| from_zero(*t))).collect();
    let label = "type=\"Int32\" Name=\"region\"";
    add(
        "CellData",
        label,
        &|out| {
            out.i32s(&[0, 7, 8]);
        },
        "0 7 8".into(),
    );
    let points = "type=\"Float64\" NumberOfComponents=\"3\" Name=\"Points\"";
    add(
        "Points",
        points,
        &|out| {
            out.f64s(&coordinates());
        },
        lines_of_points(),
    );
    add(
        "Cells",
        "type=\"Int32\" Name=\"connectivity\"",
        &|out| {
            out.i32s(&cells);
        },
        row(&cells),
    );
    add(
        "Cells",
        "type=\"Int64\" Name=\"offsets\"",
        &|out| {
            out.i64s(&[3, 7, 11]);
        },
        "3 7 11".into(),
    );
    add(
        "Cells",
        "type=\"UInt8\" Name=\"types\"",
        &|out| {
            out.u8s(&[5, 10, 10]);
        },
        "5 10 10".into(),
    );

    let compressor =
        if matches!(how, Vtu::Zlib | Vtu::RawZlib) { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let mut file = format!(
        "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\"{compressor}>\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"6\" NumberOfCells=\"3\">\n"
    )
    .into_bytes();
    let mut appended = Vec::new();
    let mut section = "";
    for (tag, name, data, text) in bytes {
        if section != tag {
            if !section.is_empty() {
                file.extend(format!("</{section}>\n").bytes());
            }
            file.extend(format!("<{tag}>\n").bytes());
            section = tag;
        }
        let (mut head, mut body) = (Bytes::default(), data.clone());
        match how {
            Vtu::Zlib | Vtu::RawZlib => {
                // Two blocks, the second shorter.
                let size = data.len() / 2 + 1;
                let blocks: Vec<Vec<u8>> = data
                    .chunks(size)
                    .map(|part| miniz_oxide::deflate::compress_to_vec_zlib(part, 6))
                    .collect();
                head.i64s(&[blocks.len() as i64, size as i64, (data.len() % size) as i64]);
                blocks.iter().for_each(|block| {
                    head.i64s(&[block.len() as i64]);
                });
                body = blocks.concat();
            }
            _ => {
                head.i64s(&[data.len() as i64]);
            }
        }
        let array = match how {
            Vtu::Text => format!("<DataArray {name} format=\"ascii\">\n{text}\n</DataArray>\n"),
            Vtu::Base64 => {
                let all = base64(&[head.all, body].concat());
                format!("<DataArray {name} format=\"binary\">\n{all}\n</DataArray>\n")
            }
            Vtu::Zlib => {
                let all = base64(&head.all) + &base64(&body);
                format!("<DataArray {name} format=\"binary\">{all}</DataArray>\n")
            }
            Vtu::Raw | Vtu::RawZlib => {
                let offset = appended.len();
                appended.extend(head.all);
                appended.extend(body);
                format!("<DataArray {name} format=\"appended\" offset=\"{offset}\"/>\n")
            }
        };
        file.extend(array.bytes());
    }
    file.extend(b"</Cells>\n</Piece>\n</UnstructuredGrid>\n");
    if !appended.is_empty() {
        file.extend(b"<AppendedData encoding=\"raw\">\n_");
        file.extend(appended);
        file.extend(b"\n</AppendedData>\n");
    }
    file.extend(b"</VTKFile>\n");
    vec![("sample.vtu", file)]
}

pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word =
            group.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k) & 63) as usize] as char;
            text.push(if k > group.len() { '=' } else { letter });
        }
    }
    text
}

/// One array of an npz file.
pub fn npy(kind: &str, shape: &str, fortran: bool, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut all = b"\x93NUMPY\x01\x00".to_vec();
    all.extend((header.len() as u16).to_le_bytes());
    all.extend(header.bytes());
    all.extend(data);
    all
}

/// A zip file, as NumPy writes it.
pub fn zip(members: &[(&str, Vec<u8>)], deflate: bool) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in members {
        let packed = if deflate { miniz_oxide::deflate::compress_to_vec(data, 6) } else { data.clone() };
        let mut head = Bytes::default();
        let crc = crc32fast::hash(data) as i32;
        head.u8s(&[20, 0, 0, 0, if deflate { 8 } else { 0 }, 0, 0, 0, 0, 0]);
        head.i32s(&[crc, packed.len() as i32, data.len() as i32]).u8s(&[name.len() as u8, 0, 0, 0]);
        let offset = file.len() as i32;
        file.extend(b"PK\x03\x04");
        file.extend(&head.all);
        file.extend(name.bytes());
        file.extend(packed);
        let mut entry = Bytes::default();
        entry.text("PK\x01\x02").u8s(&[20, 0]).u8s(&head.all).u8s(&[0; 10]).i32s(&[offset]).text(name);
        directory.extend(entry.all);
    }
    let mut end = Bytes::default();
    let count = members.len() as u8;
    end.text("PK\x05\x06")
        .u8s(&[0, 0, 0, 0, count, 0, count, 0])
        .i32s(&[directory.len() as i32, file.len() as i32])
        .u8s(&[0, 0]);
    file.extend(directory);
    file.extend(end.all);
    file
}

pub fn npz(deflate: bool) -> Files {
    let mut points = Bytes::default();
    points.f64s(&coordinates());
    let mut tets = Bytes::default();
    TETS.iter().for_each(|(tet, _)| {
        tets.i64s(&from_zero(*tet).map(i64::from));
    });
    // By columns, and big-endian.
    let mut triangles = Bytes::big();
    triangles.i32s(&from_zero(TRIANGLE));
    let members = [
        ("points.npy", npy("<f8", "(6, 3)", false, &points.all)),
        ("tets.npy", npy("<i8", "(2, 4)", false, &tets.all)),
        ("triangles.npy", npy(">i4", "(1, 3)", true, &triangles.all)),
        ("regions.npy", npy("|u1", "(2,)", false, &[7, 8])),
    ];
    vec![("sample.npz", zip(&members, deflate))]
}

/// Files that hold the mesh of [`expected`](crate::samples::expected); PLY has no labels.
pub fn volume_samples() -> Vec<(&'static str, Files)> {
    vec![
        ("ply text", ply_text()),
        ("ply little-endian", ply_binary(false)),
        ("ply big-endian", ply_binary(true)),
        ("vtk text", vtk_text()),
        ("vtk binary", vtk_binary()),
        ("vtk 5.1", vtk_five()),
        ("vtu text", vtu(Vtu::Text)),
        ("vtu base64", vtu(Vtu::Base64)),
        ("vtu raw", vtu(Vtu::Raw)),
        ("vtu zlib", vtu(Vtu::Zlib)),
        ("vtu raw zlib", vtu(Vtu::RawZlib)),
        ("npz stored", npz(false)),
        ("npz deflated", npz(true)),
    ]
}

/// A square and a triangle beside it, as every format of surfaces gives it.
pub fn expected_surface() -> MeshData {
    MeshData {
        points: SURFACE.map(DVec3::from).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3], [1, 4, 2]],
        ..MeshData::default()
    }
}

const SURFACE: [[f64; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.5]];
const FACES: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 3], [1, 4, 2]];

fn stl_text() -> Files {
    let mut text = "solid sample\n".to_owned();
    for face in FACES {
        text += "facet normal 0 0 1\n outer loop\n";
        for [x, y, z] in face.map(|corner| SURFACE[corner]) {
            writeln!(text, "  vertex {x} {y} {z}").unwrap();
        }
        text += " endloop\nendfacet\n";
    }
    vec![("sample.stl", (text + "endsolid sample\n").into_bytes())]
}

fn stl_binary() -> Files {
    let mut out = Bytes::default();
    // Some programs start binary files with the word of text files.
    out.text("solid").u8s(&[b' '; 75]).i32s(&[3]);
    for face in FACES {
        out.f32s(&[0.0, 0.0, 1.0]);
        face.iter().for_each(|&corner| {
            out.f32s(&SURFACE[corner]);
        });
        out.u8s(&[0, 0]);
    }
    vec![("sample.stl", out.all)]
}

fn off() -> Files {
    let points: String = SURFACE.iter().map(|[x, y, z]| format!("{x} {y} {z} 255 0 0\n")).collect();
    vec![(
        "sample.off",
        format!("COFF # with colours\n5 2 0\n{points}4 0 1 2 3\n3 1 4 2 0.5 0.5 0.5\n").into_bytes(),
    )]
}

fn smesh() -> Files {
    let points: String = (1..).zip(SURFACE).map(|(i, [x, y, z])| format!("{i} {x} {y} {z}\n")).collect();
    vec![("sample.smesh", format!("5 3 0 0\n{points}2 1\n4 1 2 3 4 7\n3 2 5 3 7\n0\n0\n").into_bytes())]
}

/// Points in a file of their own.
fn smesh_with_node() -> Files {
    let points: String = (0..).zip(SURFACE).map(|(i, [x, y, z])| format!("{i} {x} {y} {z}\n")).collect();
    let surface = "0 3 0 0\n2 0\n4 0 1 2 3\n3 1 4 2\n0\n0\n";
    vec![("sample.node", format!("5 3 0 0\n{points}").into_bytes()), ("sample.smesh", surface.into())]
}

fn ply_surface() -> Files {
    let points: String = SURFACE.iter().map(|[x, y, z]| format!("{x} {y} {z}\n")).collect();
    let head = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
                element face 2\nproperty list uchar uint vertex_index\nend_header\n";
    vec![("sample.ply", format!("{head}{points}4 0 1 2 3\n3 1 4 2\n").into_bytes())]
}

fn vtk_polygons() -> Files {
    let points: String = SURFACE.iter().map(|[x, y, z]| format!("{x} {y} {z}\n")).collect();
    let head = "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n";
    vec![("sample.vtk", format!("{head}{points}POLYGONS 2 9\n4 0 1 2 3\n3 1 4 2\n").into_bytes())]
}

fn vtp() -> Files {
    let points: String = SURFACE.iter().map(|[x, y, z]| format!("{x} {y} {z}\n")).collect();
    let text = format!(
        "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\"><PolyData><Piece NumberOfPoints=\"5\" NumberOfPolys=\"2\">\
         <Points><DataArray type=\"Float32\" NumberOfComponents=\"3\">{points}</DataArray></Points><Polys>\
         <DataArray type=\"Int32\" Name=\"connectivity\">0 1 2 3 1 4 2</DataArray>\
         <DataArray type=\"Int32\" Name=\"offsets\">4 7</DataArray></Polys></Piece></PolyData></VTKFile>"
    );
    vec![("sample.vtp", text.into_bytes())]
}

/// Two nodes: the first has the square as a strip and moves it, the second has the triangle and turns and scales it. The square's first corner is in the
/// file twice.
fn gltf_parts() -> (String, Vec<u8>) {
    let mut data = Bytes::default();
    for corner in [0, 1, 3, 2] {
        let [x, y, z] = SURFACE[corner];
        data.f32s(&[x - 3.0, y, z]);
    }
    for corner in [1, 4, 2] {
        // Turned by −90° about z, and halved.
        let [x, y, z] = SURFACE[corner];
        data.f32s(&[y / 2.0, -x / 2.0, z / 2.0]);
    }
    data.u8s(&[0, 1, 2, 0]);
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"children":[1,2],"translation":[1,0,0]}},{{"mesh":0,"translation":[2,0,0]}},
          {{"mesh":1,"translation":[-1,0,0],"rotation":[0,0,0.7071067811865476,0.7071067811865476],"scale":[2,2,2]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":5}}]}},
          {{"primitives":[{{"attributes":{{"POSITION":1}},"indices":2}},{{"attributes":{{"POSITION":1}},"mode":0}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
          {{"bufferView":0,"byteOffset":48,"componentType":5126,"count":3,"type":"VEC3"}},
          {{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":84}},{{"buffer":0,"byteOffset":84,"byteLength":3}}],
        "buffers":[{{"byteLength":{}URI}}]}}"#,
        data.all.len()
    );
    (json, data.all)
}

fn gltf() -> Files {
    let (json, data) = gltf_parts();
    let uri = format!(",\"uri\":\"data:application/octet-stream;base64,{}\"", base64(&data));
    vec![("sample.gltf", json.replace("URI", &uri).into_bytes())]
}

fn gltf_with_file() -> Files {
    let (json, data) = gltf_parts();
    vec![("a b.bin", data), ("sample.gltf", json.replace("URI", ",\"uri\":\"a%20b.bin\"").into_bytes())]
}

fn glb() -> Files {
    let (json, data) = gltf_parts();
    let mut json = json.replace("URI", "").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut out = Bytes::default();
    out.text("glTF")
        .i32s(&[2, (28 + json.len() + data.len()) as i32, json.len() as i32])
        .text("JSON")
        .u8s(&json);
    out.i32s(&[data.len() as i32]).text("BIN\0").u8s(&data);
    vec![("sample.glb", out.all)]
}

/// Files that hold [`expected_surface`]; in glTF the two nodes share no vertices.
pub fn surface_samples() -> Vec<(&'static str, Files)> {
    vec![
        ("stl text", stl_text()),
        ("stl binary", stl_binary()),
        ("off", off()),
        ("smesh", smesh()),
        ("smesh and node", smesh_with_node()),
        ("ply", ply_surface()),
        ("vtk polygons", vtk_polygons()),
        ("vtp", vtp()),
        ("gltf", gltf()),
        ("gltf and file", gltf_with_file()),
        ("glb", glb()),
    ]
}
