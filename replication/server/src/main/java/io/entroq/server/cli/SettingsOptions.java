package io.entroq.server.cli;

import io.entroq.server.settings.ExplicitValue;
import io.entroq.server.settings.InvalidSettingException;
import io.entroq.server.settings.Section;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Setting;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.SettingsRules;
import io.entroq.server.settings.ValueSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Adds an option per setting to a command. The options hold text and the settings parse it, so that
 * a value is checked the same way wherever it comes from.
 */
abstract class SettingsOptions implements IModelTransformer {
  /** Asks for the help with all options. {@link Arguments} handles it. */
  static final String HELP_ALL = "--help-all";

  private static final Set<String> COMMON_TO_SERVERS =
      Set.of(
          "host",
          "port",
          "http-port",
          "data",
          "durability",
          "tls-cert",
          "tls-key",
          "authn",
          "authz",
          "log-level");

  private final List<Setting<?>> table;
  private final Set<String> common;
  private final Consumer<Settings> rules;
  private boolean isInFull;

  /**
   * @param common names of the settings in the short help
   * @param rules throws {@link InvalidSettingException} if settings contradict each other
   */
  SettingsOptions(List<Setting<?>> table, Set<String> common, Consumer<Settings> rules) {
    this.table = table;
    this.common = common;
    this.rules = rules;
  }

  /** The same options, all of them in the help. */
  SettingsOptions inFull() {
    isInFull = true;
    return this;
  }

  /** The settings of {@code entroq serve}. Picocli instantiates it too. */
  static final class OfServer extends SettingsOptions {
    OfServer() {
      super(ServerSettings.all(), COMMON_TO_SERVERS, SettingsRules::check);
    }
  }

  /** The settings of {@code entroq node}. Picocli instantiates it too. */
  static final class OfNode extends SettingsOptions {
    OfNode() {
      super(ServerSettings.ofNode(), commonToNodes(), SettingsRules::checkNode);
    }

    private static Set<String> commonToNodes() {
      Set<String> common = new HashSet<>(COMMON_TO_SERVERS);
      common.addAll(List.of("id", "members", "bootstrap", "secret-file"));
      return common;
    }
  }

  /** The settings of both, for a command that calls either. Picocli instantiates it too. */
  static final class OfEither extends SettingsOptions {
    OfEither() {
      super(
          ServerSettings.ofEither(),
          Set.of("host", "http-port", "tls-cert", "tls-key", "tls-client-ca"),
          SettingsRules::checkGuards);
    }
  }

  @Override
  public CommandSpec transform(CommandSpec spec) {
    int order = 0;
    for (Section section : Section.values()) {
      List<Setting<?>> settings =
          table.stream()
              .filter(setting -> setting.section() == section && isInHelp(setting))
              .toList();
      if (!settings.isEmpty()) {
        ArgGroupSpec.Builder group =
            ArgGroupSpec.builder()
                .heading("%n" + section.title() + ":%n")
                .exclusive(false)
                .validate(false)
                .order(order++);
        settings.forEach(setting -> addTo(group::addArg, setting, true));
        spec.addArgGroup(group.build());
      }
    }
    table.stream()
        .filter(setting -> !isInHelp(setting))
        .forEach(setting -> addTo(spec::addOption, setting, false));
    return spec;
  }

  private boolean isInHelp(Setting<?> setting) {
    return isInFull || common.contains(setting.name());
  }

  private static void addTo(Consumer<OptionSpec> options, Setting<?> setting, boolean isInHelp) {
    String[] names = setting.flags();
    for (int i = 0; i < names.length; i++) {
      OptionSpec.Builder option =
          OptionSpec.builder(names[i])
              .paramLabel(setting.type().label())
              .description(description(setting))
              // The help shows one spelling.
              .hidden(i > 0 || !isInHelp)
              .type(List.class)
              .auxiliaryTypes(String.class)
              .arity(setting.isFlag() ? "0..1" : "1");
      if (setting.isFlag()) {
        option.fallbackValue("true").paramLabel("true|false").hideParamSyntax(false);
      }
      options.accept(option.build());
    }
  }

  private static String description(Setting<?> setting) {
    return "%s Default: %s."
        .formatted(setting.description(), setting.defaultDescription())
        .replace("%", "%%");
  }

  /**
   * The settings from the command line, the environment and the configuration file.
   *
   * @param config the file on the command line; may be null
   * @throws ParameterException if a setting is invalid
   */
  Settings read(CommandLine command, Path config) {
    try {
      Settings settings =
          Settings.of(
              table,
              explicit(command.getParseResult()),
              Optional.ofNullable(config),
              System.getenv());
      rules.accept(settings);
      return settings;
    } catch (InvalidSettingException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  private List<ExplicitValue> explicit(ParseResult parsed) {
    Map<String, Setting<?>> settings = new HashMap<>();
    for (Setting<?> setting : table) {
      for (String name : setting.flags()) {
        settings.put(name, setting);
      }
    }
    List<ExplicitValue> explicit = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      Setting<?> setting = settings.get(option.longestName());
      if (setting != null) {
        List<String> values = option.getValue();
        explicit.add(
            new ExplicitValue(
                setting, setting.combined(values), new ValueSource.Flag(option.longestName())));
      }
    }
    return explicit;
  }
}
