"""The programs that run on the graphics pipe.

All of them work in table coordinates and linear light, blue first. The picture's first row is the top one, so that
what is read back is an image as the rest of the program has it.
"""

from __future__ import annotations

from typing import Final

_VERSION: Final = "#version 330 core\n"

PROJECT: Final = """
uniform vec3 eye;
uniform mat3 axes;        // rows: right, down, forward
uniform vec4 pinhole;     // focal length over half the width and height; centre, both in device units
uniform vec3 lens;        // k1, k2, focal length over half the width
uniform vec2 jitter;

vec4 project(vec3 point) {
    vec3 seen = (point - eye) * axes;
    vec2 flat_ = seen.xy / seen.z;
    // Far outside the picture the polynomial of the lens folds back; hold it there.
    float r2 = min(dot(flat_, flat_) * lens.z * lens.z, 4.0);
    flat_ *= 1.0 + lens.x * r2 + lens.y * r2 * r2;
    vec2 device = flat_ * pinhole.xy + pinhole.zw + jitter;
    float near = 60.0, far = 4000.0;
    return vec4(device * seen.z, (seen.z * (far + near) - 2.0 * far * near) / (far - near), seen.z);
}
"""

LIGHT: Final = """
uniform vec3 eye;
uniform vec3 lamp;
uniform float lamp_norm;  // makes the lamp's light on the middle of the table lamp_colour
uniform vec3 lamp_colour;
uniform vec3 sky;
uniform vec3 bounce;
uniform vec3 window;
uniform vec3 window_colour;

vec3 around(vec3 normal) {
    return mix(bounce, sky, 0.5 + 0.5 * normal.z) + window_colour * max(0.35 + 0.65 * dot(normal, window), 0.0);
}

vec3 from_lamp(vec3 point, float soft, vec3 normal) {
    vec3 path = lamp - point;
    float squared = dot(path, path);
    float facing = (dot(normal, path) * inversesqrt(squared) + soft) / (1.0 + soft);
    return lamp_colour * (lamp_norm / squared * max(facing, 0.0));
}

vec3 sheen(vec3 point, vec3 normal, float gloss, float sharpness) {
    vec3 to_lamp = normalize(lamp - point), to_eye = normalize(eye - point);
    vec3 middle = normalize(to_lamp + to_eye);
    float fresnel = 0.04 + 0.96 * pow(1.0 - clamp(dot(middle, to_eye), 0.0, 1.0), 5.0);
    float lobe = pow(max(dot(normal, middle), 0.0), sharpness) * (sharpness + 8.0) / 8.0;
    vec3 path = lamp - point;
    return lamp_colour * (lamp_norm / dot(path, path) * gloss * fresnel * lobe * max(to_lamp.z, 0.0));
}

float grain(vec2 at) {
    return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}
"""

LYING: Final = """
uniform sampler2D heights;   // covered (0 or 1), and how high the lying cards reach, mm
uniform vec4 heights_place;  // origin in mm, texture units per mm

float height_at(vec2 place) {
    return texture(heights, (place - heights_place.xy) * heights_place.zw).g;
}

// Darkness in the narrow corner where a card's edge meets what it lies on.
float contact(vec3 point, float spin) {
    float shut = 0.0;
    for (int i = 0; i < 8; ++i) {
        float angle = spin + 0.785398 * float(i), reach = (i & 1) == 0 ? 1.1 : 3.0;
        float over = height_at(point.xy + reach * vec2(cos(angle), sin(angle))) - point.z - 0.12;
        shut += clamp(over / reach * 1.6, 0.0, 1.0);
    }
    return 1.0 - 0.75 * shut / 8.0;
}

float lamp_reaches(vec3 point, float spin) {
    vec3 path = lamp - point;
    vec2 slope = path.xy / max(path.z, 1.0);
    float shut = 0.0;
    for (int i = 0; i < 6; ++i) {
        float rise = 0.2 + (float(i) + spin) * 0.55 + float(i * i) * 0.12;
        shut = max(shut, clamp((height_at(point.xy + slope * rise) - point.z - rise) * 4.0, 0.0, 1.0));
    }
    return 1.0 - shut;
}
"""

MOVING: Final = """
uniform sampler2D lamp_map;   // covered (0 or 1) and height times that, as the lamp sees it on the plane z = 0
uniform sampler2D above_map;  // the same, seen from straight above
uniform vec4 maps_place;
uniform float lamp_spread;    // radius of the lamp over its height

const vec2 TAPS[6] = vec2[6](vec2(0.25, 0.1), vec2(-0.31, 0.42), vec2(-0.28, -0.58), vec2(0.6, -0.45), vec2(0.62, 0.66),
                             vec2(-0.98, 0.1));

mat2 turned(float spin) {
    // Not an exact rotation, but close to one, and no sines.
    float a = 2.0 * spin - 1.0, b = sqrt(1.0 - a * a);
    return mat2(a, b, -b, a);
}

float lamp_reaches(vec3 point, float spin) {
    vec2 hit = lamp.xy + (point.xy - lamp.xy) / max(1.0 - point.z / lamp.z, 0.05);
    vec2 place = (hit - maps_place.xy) * maps_place.zw;
    mat2 spread = turned(spin) * (4.0 + 60.0 * lamp_spread);
    float shut = 0.0;
    for (int i = 0; i < 6; ++i) {
        float over = texture(lamp_map, place + spread * TAPS[i] * maps_place.zw).g - point.z - 3.5;
        shut += clamp(over * 0.4, 0.0, 1.0);
    }
    return 1.0 - shut / 6.0;
}

float open_above(vec3 point, float spin) {
    vec2 place = (point.xy - maps_place.xy) * maps_place.zw;
    mat2 spread = turned(1.0 - spin) * 11.0;
    float shut = 0.0;
    for (int i = 0; i < 4; ++i) {
        float over = texture(above_map, place + spread * TAPS[i + 1] * maps_place.zw).g - point.z - 2.5;
        shut += over > 0.0 ? max(1.0 - over / 90.0, 0.0) : 0.0;
    }
    return 1.0 - 0.7 * shut / 4.0;
}
"""

_CARD_IN: Final = """
in vec3 in_point;
in vec2 in_uv;
in float in_side;
in vec3 in_centre;
in mat3 in_turn;
in vec3 in_kind;          // code, bend, unevenness
uniform vec2 card_size;
uniform float card_thickness;

vec3 card_point() {
    float along = in_uv.y * 2.0 - 1.0;
    vec3 local = in_point - vec3(0.0, 0.0, 0.5 * card_thickness + in_kind.y * along * along);
    return in_centre + local * in_turn;
}
"""

CARD_VERTEX: Final = (
    _VERSION
    + PROJECT
    + _CARD_IN
    + """
out vec3 point;
out vec3 normal;
out vec3 spot;            // u, v, layer
flat out float side;

void main() {
    point = card_point();
    float along = in_uv.y * 2.0 - 1.0, across = in_uv.x * 2.0 - 1.0;
    vec3 local = vec3(0.02 * in_kind.z * across, (4.0 * in_kind.y / card_size.y + 0.025 * in_kind.z) * along, 1.0);
    if (in_side > 1.5) local = vec3((in_uv - 0.5) * card_size, 0.0);
    else if (in_side > 0.5) local = -local;
    normal = normalize(local) * in_turn;
    bool face = in_side < 0.5;
    spot = vec3(face ? in_uv.x : 1.0 - in_uv.x, in_uv.y, face ? in_kind.x : 52.0);
    side = in_side;
    gl_Position = project(point);
}
"""
)

_CARD_COLOUR: Final = """
in vec3 point;
in vec3 normal;
in vec3 spot;
flat in float side;
uniform sampler2DArray faces;
uniform vec2 card_gloss;  // strength and sharpness
uniform vec2 card_size;
uniform float frame_grain;

vec3 card_colour() {
    if (side > 1.5) return vec3(0.30, 0.32, 0.33);
    vec3 coded = texture(faces, spot, -0.7).rgb;
    // The outermost rim is rounded off and dirty with use: it parts the white cards of a pile.
    vec2 rim = (0.5 - abs(spot.xy - 0.5)) * card_size;
    float clean = 0.62 + 0.38 * smoothstep(0.0, 0.55, min(rim.x, rim.y));
    return coded * coded * (0.3 * coded + 0.7) * clean;  // sRGB to linear, near enough
}
"""

CARD_LYING: Final = (
    _VERSION
    + LIGHT
    + LYING
    + _CARD_COLOUR
    + """
layout(location = 0) out vec4 ambient;
layout(location = 1) out vec4 direct;

void main() {
    float spin = grain(gl_FragCoord.xy + 17.0 * frame_grain);
    vec3 n = normalize(normal), albedo = card_colour();
    float lit = lamp_reaches(point, spin);
    ambient = vec4(around(n) * (albedo + 0.015) * contact(point, 6.283 * spin), 1.0);
    direct = vec4((from_lamp(point, 0.0, n) * albedo + sheen(point, n, card_gloss.x, card_gloss.y)) * lit, 1.0);
}
"""
)

CARD_MOVING: Final = (
    _VERSION
    + LIGHT
    + MOVING
    + _CARD_COLOUR
    + """
out vec4 colour;

void main() {
    if (point.z < -0.3) discard;   // the table top hides it
    float spin = grain(gl_FragCoord.xy + 17.0 * frame_grain);
    vec3 n = normalize(normal), albedo = card_colour();
    vec3 direct = from_lamp(point, 0.0, n) * albedo + sheen(point, n, card_gloss.x, card_gloss.y);
    vec3 soft = around(n) * (albedo + 0.015) * open_above(point, spin);
    colour = vec4(soft + direct * lamp_reaches(point, spin), 1.0);
}
"""
)

TABLE_VERTEX: Final = (
    _VERSION
    + PROJECT
    + """
in vec3 in_point;
in vec2 in_uv;
out vec3 point;
out vec2 uv;

void main() {
    point = in_point;
    uv = in_uv;
    gl_Position = project(point);
}
"""
)

TABLE_LYING: Final = (
    _VERSION
    + LIGHT
    + LYING
    + """
in vec3 point;
in vec2 uv;
uniform sampler2D top;
uniform sampler2D ground;
uniform vec3 ground_place;   // origin in mm, texture units per mm
uniform vec2 top_gloss;
uniform float frame_grain;
layout(location = 0) out vec4 ambient;
layout(location = 1) out vec4 direct;

void main() {
    float spin = grain(gl_FragCoord.xy + 17.0 * frame_grain);
    if (uv.x < 0.0) {     // the floor, far below and out of the light
        vec3 seen = pow(texture(ground, (point.xy - ground_place.xy) * ground_place.z).rgb, vec3(2.2));
        ambient = vec4(around(vec3(0.0, 0.0, 1.0)) * seen * 0.55, 1.0);
        direct = vec4(lamp_colour * seen * 0.3, 1.0);
        return;
    }
    vec3 coded = texture(top, uv, -0.4).rgb, n = vec3(0.0, 0.0, 1.0);
    vec3 albedo = coded * coded * (0.3 * coded + 0.7);
    float lit = lamp_reaches(point, spin);
    float fibre = 0.7 + 0.6 * dot(coded, vec3(0.33));
    ambient = vec4(around(n) * (albedo + 0.02 * top_gloss.x) * contact(point, 6.283 * spin), 1.0);
    direct = vec4((from_lamp(point, 0.0, n) * albedo + fibre * sheen(point, n, top_gloss.x, top_gloss.y)) * lit, 1.0);
}
"""
)

BODY_VERTEX: Final = (
    _VERSION
    + PROJECT
    + "uniform vec3 lamp;"
    + MOVING
    + """
in vec3 in_point;
in vec3 in_normal;
in vec3 in_colour;
in vec2 in_uv;
uniform float frame_grain;
out vec3 point;
out vec3 normal;
out vec3 tone;
out vec2 uv;
out vec2 reached;         // how much of the lamp's and of all other light comes here

void main() {
    point = in_point;
    normal = in_normal;
    tone = in_colour;
    uv = in_uv;
    // Vertices are a few millimetres apart, closer than shadows are sharp: looking up the light here is enough.
    float spin = fract(0.17 + 0.618 * frame_grain);
    reached = vec2(lamp_reaches(in_point + 2.0 * in_normal, spin), open_above(in_point + 2.0 * in_normal, spin));
    gl_Position = project(point);
}
"""
)

BODY_MOVING: Final = (
    _VERSION
    + LIGHT
    + """
in vec3 point;
in vec3 normal;
in vec2 reached;
in vec3 tone;             // colour of the skin or the ceramic; for cloth its shade in the first part
in vec2 uv;               // cloth: mm around and along the sleeve
uniform int stuff;        // 0 skin, 1 plain cloth, 2 striped, 3 checked, 4 glazed
uniform vec3 cloth;
uniform vec3 second;
out vec4 colour;

vec3 woven() {
    float thread = 1.0 + 0.08 * sin(uv.x * 2.2) * sin(uv.y * 2.2);
    vec3 dye = cloth;
    if (stuff == 2) dye = mix(cloth, second, 0.8 * smoothstep(0.55, 0.62, abs(fract(uv.y / 24.0) * 2.0 - 1.0)));
    if (stuff == 3) {
        float a = step(0.5, fract(uv.x / 26.0)), b = step(0.5, fract(uv.y / 26.0));
        dye = mix(cloth, second, 0.5 * (a + b));
    }
    return dye * thread * tone.x;
}

void main() {
    if (point.z < -0.3) discard;   // the table top hides it
    vec3 n = normalize(normal);
    float lit = reached.x, open = reached.y;
    if (stuff == 0) {
        // Light that enters skin comes out a little further and redder: the edge of the shade is soft and warm.
        vec3 soft = vec3(from_lamp(point, 0.12, n).x, from_lamp(point, 0.2, n).y, from_lamp(point, 0.4, n).z);
        float rim = pow(1.0 - clamp(dot(n, normalize(eye - point)), 0.0, 1.0), 3.0);
        vec3 gleam = sheen(point, n, 0.55, 14.0) * lit;
        vec3 through = mix(vec3(lit), vec3(1.0), vec3(0.0, 0.02, 0.06));
        colour = vec4(tone * (around(n) * open + soft * through) * (1.0 - 0.25 * rim) + gleam, 1.0);
    } else if (stuff == 4) {
        vec3 shine = sheen(point, n, 1.2, 90.0) * lit;
        colour = vec4(tone * (around(n) * open + from_lamp(point, 0.0, n) * lit) + shine, 1.0);
    } else {
        colour = vec4(woven() * (around(n) * open + from_lamp(point, 0.15, n) * lit), 1.0);
    }
}
"""
)

_CAST: Final = """
uniform vec4 map_frame;   // origin in mm, device units per mm
uniform vec3 cast_from;   // the lamp; z = 0 means straight from above

vec4 thrown(vec3 point) {
    float shrink = cast_from.z > 0.0 ? max(1.0 - point.z / cast_from.z, 0.05) : 1.0;
    vec2 hit = cast_from.z > 0.0 ? cast_from.xy + (point.xy - cast_from.xy) / shrink : point.xy;
    vec2 device = (hit - map_frame.xy) * map_frame.zw - 1.0;
    return vec4(device * shrink, (0.9 - point.z / 400.0) * shrink, shrink);
}
"""

CARD_CAST: Final = (
    _VERSION
    + _CARD_IN
    + _CAST
    + """
out float height;
void main() {
    vec3 point = card_point();
    height = point.z;
    gl_Position = thrown(point);
}
"""
)

BODY_CAST: Final = (
    _VERSION
    + _CAST
    + """
in vec3 in_point;
out float height;
void main() {
    height = in_point.z;
    gl_Position = thrown(in_point);
}
"""
)

CAST_FRAGMENT: Final = (
    _VERSION
    + """
in float height;
out vec4 covered;
void main() {
    if (height < -0.5) discard;   // what is below the table top throws no shadow on it
    covered = vec4(1.0, max(height, 0.0), 0.0, 1.0);
}
"""
)

DEPTH_FRAGMENT: Final = (
    _VERSION
    + """
out vec4 colour;
void main() { colour = vec4(0.0); }   // hides what is behind it, and is itself not there
"""
)
