//! A graph in, a picture of it out; the one door to the layout crate.
//!
//! The crate walks every path between two nodes to find circles, which takes forever on a chain of branches. So it is
//! handed edges without circles, those of earlier nodes first, and its own checks are off. What it draws is bounded:
//! beyond that a picture shows the steps and calls alone, and beyond that the first of them.

mod shape;

use crate::graph::{Edge, Graph, NodeIndex, label, outline};
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use shape::{Cell, Frame};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most nodes of a picture.
const MAX_NODES: usize = 160;
/// The most work that the crate's search for crossings may be: it grows with the third power of a row.
const MAX_WORK: usize = 250_000;

/// Draws a graph; answers nothing where the crate gives up.
pub(super) fn svg(graph: &Graph) -> Option<String> {
    let whole = Sketch::new(graph, usize::MAX);
    if whole.fits() {
        return whole.drawn("");
    }
    let steps = outline(graph);
    let mut most = steps.nodes.node_count();
    loop {
        let sketch = Sketch::new(&steps, most);
        if sketch.fits() || most <= 1 {
            return sketch.drawn("<!-- too large to draw whole: only steps and calls are shown -->\n");
        }
        most = most.min(MAX_NODES + 1) * 3 / 4;
    }
}

/// What is handed to the crate: nodes in an order that every line follows.
struct Sketch {
    cells: Vec<Cell>,
    lines: Vec<Line>,
}

/// A line from one cell to a later one.
struct Line {
    from: usize,
    to: usize,
    text: String,
    /// Whether it leads from the later cell back to the earlier one.
    back: bool,
    dashed: bool,
}

impl Sketch {
    /// Takes the first `most` nodes of a graph, in the order they are written, the end last.
    fn new(graph: &Graph, most: usize) -> Self {
        let tied = |node: &NodeIndex| graph.nodes.neighbors_undirected(*node).next().is_some();
        let mut order: Vec<NodeIndex> = graph
            .nodes
            .node_indices()
            .filter(|node| *node != graph.end && (tied(node) || *node == graph.start))
            .collect();
        let cut = order.len().saturating_sub(most);
        order.truncate(most);
        if cut > 0 || tied(&graph.end) {
            order.push(graph.end);
        }
        let mut places = vec![None; graph.nodes.node_count()];
        for (place, node) in order.iter().enumerate() {
            if let Some(known) = places.get_mut(node.index()) {
                *known = Some(place);
            }
        }
        let mut cells: Vec<Cell> = order
            .iter()
            .map(|node| Cell::new(graph.nodes[*node].kind, &label(&graph.nodes[*node])))
            .collect();
        if let Some(end) = cells.last_mut().filter(|_| cut > 0) {
            *end = Cell::new(end.kind, &format!("{cut} more, end"));
        }
        let place = |node: NodeIndex| places.get(node.index()).copied().flatten();
        let edges = graph.edges();
        let known = edges
            .iter()
            .filter_map(|(from, to, edge)| Some((place(*from)?, place(*to)?, *edge, graph.says(*from, *edge))));
        let lines = lines(known, &mut cells);
        Self { cells, lines }
    }

    /// Says whether the picture stays small enough to be laid out in a moment.
    fn fits(&self) -> bool {
        if self.cells.len() > MAX_NODES {
            return false;
        }
        let mut ranks = vec![0_usize; self.cells.len()];
        for line in &self.lines {
            let after = ranks[line.from] + 1;
            ranks[line.to] = ranks[line.to].max(after);
        }
        let mut rows = vec![0_usize; self.cells.len() + 1];
        for rank in &ranks {
            rows[*rank] += 1;
        }
        for line in &self.lines {
            for row in &mut rows[ranks[line.from] + 1..ranks[line.to]] {
                *row += 1;
            }
        }
        let work: usize = rows.iter().map(|row| row.pow(3)).sum();
        work <= MAX_WORK
    }

    fn drawn(&self, remark: &str) -> Option<String> {
        // The crate asserts what rounding could break; a picture is not worth the process.
        catch_unwind(AssertUnwindSafe(|| self.paint(remark))).ok()
    }

    fn paint(&self, remark: &str) -> String {
        let mut picture = VisualGraph::new(Orientation::TopToBottom);
        picture.dag.set_validate(false);
        let look = StyleAttr::new(Color::fast("black"), 1, None, 0, 12);
        let mut handles = Vec::new();
        for (at, cell) in self.cells.iter().enumerate() {
            let (width, height) = cell.size();
            let size = Point::new(width, height);
            let shape = ShapeKind::new_box("");
            let looks = look.clone();
            let name = at.to_string();
            handles.push(picture.add_node(Element::create_with_properties(
                shape,
                looks,
                Orientation::TopToBottom,
                size,
                name,
            )));
        }
        for (at, line) in self.lines.iter().enumerate() {
            let mut arrow = Arrow::simple_with_properties("", at.to_string());
            if line.back {
                (arrow.start, arrow.end) = (LineEndKind::Arrow, LineEndKind::None);
            }
            if line.dashed {
                arrow.line_style = LineStyleKind::Dashed;
            }
            picture.add_edge(arrow, handles[line.from], handles[line.to]);
        }
        let mut canvas = Canvas {
            sketch: self,
            lines: String::new(),
            cells: String::new(),
            extent: None,
        };
        picture.do_it(false, false, false, &mut canvas);
        canvas.finish(remark)
    }
}

/// Joins the edges between two cells to one line that leads forward; an edge to itself becomes a mark on the cell.
fn lines<'a>(edges: impl Iterator<Item = (usize, usize, Edge, &'a str)>, cells: &mut [Cell]) -> Vec<Line> {
    let mut joined: BTreeMap<(usize, usize, bool), (Vec<&str>, bool)> = BTreeMap::new();
    for (from, to, edge, says) in edges {
        if from == to {
            if let Some(cell) = cells.get_mut(from) {
                cell.lines
                    .push(format!("↻ {}", if says.is_empty() { edge.name() } else { says }));
            }
            continue;
        }
        let key = (from.min(to), from.max(to), to < from);
        let (texts, dashed) = joined.entry(key).or_default();
        texts.extend(Some(says).filter(|text| !text.is_empty()));
        *dashed |= edge == Edge::Again;
    }
    let line = |((from, to, back), (texts, dashed)): ((usize, usize, bool), (Vec<&str>, bool))| Line {
        from,
        to,
        text: texts.join(" / "),
        back,
        dashed,
    };
    joined.into_iter().map(line).collect()
}

/// What the crate draws on: it says where, the sketch says what.
struct Canvas<'a> {
    sketch: &'a Sketch,
    lines: String,
    cells: String,
    /// The corners of everything drawn so far.
    extent: Option<(Point, Point)>,
}

const STYLE: &str = "\
<style>
text { font: 12px system-ui, sans-serif; text-anchor: middle; fill: #1b1f24; }
.line { fill: none; stroke: #57606a; stroke-width: 1.2; }
.why { font-size: 11px; fill: #57606a; stroke: #ffffff; stroke-width: 4px; paint-order: stroke; }
g rect, g polygon, g path { fill: #ffffff; stroke: #57606a; }
.terminal rect { fill: #eaeef2; }
.step rect { fill: #ddf4ff; stroke: #0969da; stroke-width: 2; }
.step text { font-weight: 600; }
.decide polygon { fill: #fff8c5; stroke: #9a6700; }
.ask polygon { fill: #dafbe1; stroke: #1a7f37; }
.call rect, .call path { fill: #fbefff; stroke: #8250df; }
.save rect, .save path { fill: #f6f8fa; stroke: #57606a; }
.halt rect { fill: #ffebe9; stroke: #cf222e; }
</style>
<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M 0 0 L 8 4 L 0 8 z\" fill=\"#57606a\"/></marker></defs>
";

impl Canvas<'_> {
    fn grow(&mut self, x: f64, y: f64) {
        let (low, high) = self.extent.unwrap_or((Point::new(x, y), Point::new(x, y)));
        let low = Point::new(low.x.min(x), low.y.min(y));
        let high = Point::new(high.x.max(x), high.y.max(y));
        self.extent = Some((low, high));
    }

    fn finish(self, remark: &str) -> String {
        let margin = 16.0;
        let (low, high) = self.extent.unwrap_or((Point::zero(), Point::zero()));
        let (x, y) = (low.x - margin, low.y - margin);
        let (width, height) = (high.x - low.x + 2.0 * margin, high.y - low.y + 2.0 * margin);
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{x:.1} {y:.1} {width:.1} {height:.1}\">\n\
             {remark}{STYLE}\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#ffffff\"/>\n\
             {}{}</svg>\n",
            self.lines, self.cells
        )
    }
}

impl RenderBackend for Canvas<'_> {
    fn draw_rect(&mut self, xy: Point, size: Point, _: &StyleAttr, properties: Option<String>, _: Option<ClipHandle>) {
        let Some(cell) = properties.and_then(|at| self.sketch.cells.get(at.parse::<usize>().ok()?)) else {
            return;
        };
        let frame = Frame {
            x: xy.x,
            y: xy.y,
            width: size.x,
            height: size.y,
        };
        cell.draw(frame, &mut self.cells);
        self.grow(xy.x, xy.y);
        self.grow(xy.x + size.x, xy.y + size.y);
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        dashed: bool,
        head: (bool, bool),
        _: &StyleAttr,
        properties: Option<String>,
        _: &str,
    ) {
        let [first, second, rest @ ..] = path else {
            return;
        };
        let mut way = format!("M {} C {} {} {}", at(first.0), at(first.1), at(second.0), at(second.1));
        for (control, point) in rest {
            write!(way, " S {} {}", at(*control), at(*point)).unwrap_or_default();
        }
        for (_, point) in &path[1..] {
            self.grow(point.x, point.y);
        }
        let dashes = if dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let marker = if head.0 { "marker-start" } else { "marker-end" };
        writeln!(
            self.lines,
            "<path class=\"line\" d=\"{way}\"{dashes} {marker}=\"url(#head)\"/>"
        )
        .unwrap_or_default();
        let line = properties.and_then(|at| self.sketch.lines.get(at.parse::<usize>().ok()?));
        if let Some(line) = line.filter(|line| !line.text.is_empty()) {
            let spot = beside(path, line.back);
            self.lines.push_str("<g class=\"why\">");
            shape::text(spot.x, spot.y, &line.text, &mut self.lines);
            self.lines.push_str("</g>\n");
        }
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_text(&mut self, _: Point, _: &str, _: &StyleAttr) {}

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}

fn at(point: Point) -> String {
    format!("{:.1} {:.1}", point.x, point.y)
}

/// Finds where a line's text stands: near the cell that it leaves.
fn beside(path: &[(Point, Point)], back: bool) -> Point {
    let (from, to) = match path {
        [.., before, last] if back => (last.1, if path.len() == 2 { before.0 } else { before.1 }),
        [first, second, ..] => (first.0, second.1),
        [] | [_] => return Point::zero(),
    };
    let way = to.sub(from);
    let share = (26.0 / way.length().max(1.0)).min(0.5);
    from.add(way.scale(share))
}
