package io.entroq.server.settings;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server has been told, by whomever: a flag goes before the environment, that before the
 * configuration file, and that before what is standard. Immutable.
 */
public final class Settings {
  /** Names the configuration file; the flag of the same name goes before it. */
  public static final String FILE_VARIABLE = "ENTROQ_CONFIG";

  /** By names: where two tables have a setting of the same name, its values are of one type. */
  private final Map<String, Given> given = new LinkedHashMap<>();

  private final Map<String, Object> values = new LinkedHashMap<>();

  private final List<Setting<?>> table;
  private final List<String> unknownVariables;

  private Settings(List<Setting<?>> table, List<String> unknownVariables) {
    this.table = table;
    this.unknownVariables = unknownVariables;
  }

  /**
   * Puts together what all have said to a server.
   *
   * @param flags what the command line says
   * @param file the configuration file that the command line names
   * @throws WrongSettingException if something cannot be
   */
  public static Settings of(
      List<Given> flags, Optional<Path> file, Map<String, String> environment) {
    return of(ServerSettings.all(), flags, file, environment);
  }

  /**
   * Puts together what all have said.
   *
   * @param table what can be said
   * @param flags what the command line says
   * @param file the configuration file that the command line names
   * @throws WrongSettingException if something cannot be
   */
  public static Settings of(
      List<Setting<?>> table,
      List<Given> flags,
      Optional<Path> file,
      Map<String, String> environment) {
    Variables variables = new Variables(table, environment);
    Settings settings = new Settings(table, variables.unknown());
    Optional<Path> anyFile =
        file.or(
            () ->
                Optional.ofNullable(environment.get(FILE_VARIABLE))
                    .filter(name -> !name.isEmpty())
                    .map(Path::of));
    anyFile.ifPresent(path -> new SettingsFile(path, table).read().forEach(settings::take));
    variables.given().forEach(settings::take);
    flags.forEach(settings::take);
    settings.read();
    return settings;
  }

  private void take(Given said) {
    // Also what does not count in the end is read, as somebody means it.
    said.setting().read(said.text(), said.source());
    given.put(said.setting().name(), said);
  }

  private void read() {
    for (Setting<?> setting : table) {
      Given said = given.get(setting.name());
      if (said != null) {
        values.put(setting.name(), setting.read(said.text(), said.source()));
      } else if (setting.standard().isPresent()) {
        values.put(setting.name(), setting.read(setting.standard().get(), new Source.Standard()));
      }
    }
  }

  /** The value of a setting that has one at least as a standard. */
  public <T> T get(Setting<T> setting) {
    return find(setting).orElseThrow(() -> new IllegalArgumentException(setting.name()));
  }

  /** The value of a setting; empty if there is no standard and nobody has given one. */
  @SuppressWarnings("unchecked")
  public <T> Optional<T> find(Setting<T> setting) {
    // What the setting itself has read, or another one of its name.
    return Optional.ofNullable((T) values.get(setting.name()));
  }

  /** Whether somebody has given it. */
  public boolean isGiven(Setting<?> setting) {
    return given.containsKey(setting.name());
  }

  /** Where its value comes from. */
  public Source source(Setting<?> setting) {
    return isGiven(setting) ? given.get(setting.name()).source() : new Source.Standard();
  }

  /** How whoever has given a value has named the setting. */
  public String said(Setting<?> setting) {
    return source(setting).said(setting);
  }

  /** All that could have been given. */
  List<Setting<?>> table() {
    return table;
  }

  /** The variables of the environment that look like those of settings, and are none. */
  List<String> unknownVariables() {
    return unknownVariables;
  }
}
