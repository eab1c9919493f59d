package io.entroq.server.settings;

import java.util.Optional;

/**
 * Makes the settings of a section.
 *
 * @param section that they belong to
 */
record Declaring(Section section) {
  /** One that has a value also if nobody says anything. */
  <T> Setting<T> standard(String name, Kind<T> kind, String standard, String effect) {
    return new Setting<>(section, name, kind, Optional.of(standard), standard, effect);
  }

  /**
   * One that has no value if nobody says anything.
   *
   * @param standardSaid what is done then, for people
   */
  <T> Setting<T> optional(String name, Kind<T> kind, String standardSaid, String effect) {
    return new Setting<>(section, name, kind, Optional.empty(), standardSaid, effect);
  }

  /** A switch that is off. */
  Setting<Boolean> off(String name, String effect) {
    return new Setting<>(section, name, Kinds.onOff(), Optional.of("false"), "off", effect);
  }

  /** A switch that is on. */
  Setting<Boolean> on(String name, String effect) {
    return new Setting<>(section, name, Kinds.onOff(), Optional.of("true"), "on", effect);
  }
}
