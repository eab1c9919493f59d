package io.entroq.server.settings;

import java.util.Optional;

/** A group of settings, by task: a heading in the help and on the settings page. */
public enum Section {
  MEMBERSHIP("Cluster membership"),
  FAILOVER("Failure detection and elections"),
  NETWORK("Network"),
  STORAGE("Storage"),
  TLS("TLS"),
  AUTHENTICATION("Authentication"),
  AUTHORIZATION("Authorization"),
  CONSOLE("Console"),
  LIMITS("Limits"),
  COMPATIBILITY("Compatibility with EntroQ's own server"),
  LOGGING("Logging"),
  SHUTDOWN("Shutdown");

  private final String title;

  Section(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  /** A setting with a default value, as a user would write it. */
  <T> Setting<T> setting(String name, SettingType<T> type, String defaultText, String description) {
    return new Setting<>(this, name, type, Optional.of(defaultText), defaultText, description, "");
  }

  /**
   * A setting without a default value.
   *
   * @param defaultDescription what happens without a value
   */
  <T> Setting<T> optional(
      String name, SettingType<T> type, String defaultDescription, String description) {
    return new Setting<>(this, name, type, Optional.empty(), defaultDescription, description, "");
  }

  /** A flag that is off by default. */
  Setting<Boolean> off(String name, String description) {
    return flag(name, false, "off", description);
  }

  /** A flag that is on by default. */
  Setting<Boolean> on(String name, String description) {
    return flag(name, true, "on", description);
  }

  private Setting<Boolean> flag(
      String name, boolean isOn, String defaultDescription, String description) {
    Optional<String> text = Optional.of(Boolean.toString(isOn));
    return new Setting<>(
        this, name, SettingTypes.flag(), text, defaultDescription, description, "");
  }
}
