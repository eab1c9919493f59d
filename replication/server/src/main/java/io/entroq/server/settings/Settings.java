package io.entroq.server.settings;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a process. A flag takes precedence over an environment variable, that over the
 * configuration file, and that over the default. Immutable.
 */
public final class Settings {
  /** The variable that names the configuration file if no flag does. */
  public static final String FILE_VARIABLE = "ENTROQ_CONFIG";

  /** By name: settings of the same name in two tables have values of the same type. */
  private final Map<String, ExplicitValue> explicit = new LinkedHashMap<>();

  private final Map<String, Object> values = new LinkedHashMap<>();

  private final List<Setting<?>> table;
  private final List<String> unknownVariables;

  private Settings(List<Setting<?>> table, List<String> unknownVariables) {
    this.table = table;
    this.unknownVariables = unknownVariables;
  }

  /**
   * The settings of a server.
   *
   * @param file the configuration file that the command line names
   * @throws InvalidSettingException if a value is invalid
   */
  public static Settings of(
      List<ExplicitValue> flags, Optional<Path> file, Map<String, String> environment) {
    return of(ServerSettings.all(), flags, file, environment);
  }

  /**
   * The settings in a table.
   *
   * @param file the configuration file that the command line names
   * @throws InvalidSettingException if a value is invalid
   */
  public static Settings of(
      List<Setting<?>> table,
      List<ExplicitValue> flags,
      Optional<Path> file,
      Map<String, String> environment) {
    Settings settings = new Settings(table, EnvironmentVariables.unknown(environment));
    file.or(() -> namedFile(environment))
        .ifPresent(path -> new SettingsFile(path, table).read().forEach(settings::set));
    EnvironmentVariables.values(table, environment).forEach(settings::set);
    flags.forEach(settings::set);
    settings.parse();
    return settings;
  }

  private static Optional<Path> namedFile(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(FILE_VARIABLE))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }

  private void set(ExplicitValue value) {
    // Overridden values are checked too: they may take effect at the next start.
    value.setting().parse(value.text(), value.source());
    explicit.put(value.setting().name(), value);
  }

  private void parse() {
    for (Setting<?> setting : table) {
      ExplicitValue value = explicit.get(setting.name());
      if (value != null) {
        values.put(setting.name(), setting.parse(value.text(), value.source()));
      } else if (setting.defaultText().isPresent()) {
        values.put(
            setting.name(), setting.parse(setting.defaultText().get(), new ValueSource.Default()));
      }
    }
  }

  /** The value of a setting that is set or has a default. */
  public <T> T get(Setting<T> setting) {
    return find(setting).orElseThrow(() -> new IllegalArgumentException(setting.name()));
  }

  /** The value of a setting; empty if it is not set and has no default. */
  @SuppressWarnings("unchecked")
  public <T> Optional<T> find(Setting<T> setting) {
    // Parsed by this setting or by one of the same name and type.
    return Optional.ofNullable((T) values.get(setting.name()));
  }

  /** Whether a user has set it. */
  public boolean isSet(Setting<?> setting) {
    return explicit.containsKey(setting.name());
  }

  /** The setting's name as the source of its value spells it. */
  public String nameOf(Setting<?> setting) {
    ValueSource source =
        isSet(setting) ? explicit.get(setting.name()).source() : new ValueSource.Default();
    return source.name(setting);
  }

  /** All settings, set or not. */
  List<Setting<?>> table() {
    return table;
  }

  /** Environment variables that look like settings but are not. */
  List<String> unknownVariables() {
    return unknownVariables;
  }
}
