package io.entroq.server.cli;

import io.entroq.server.settings.ExplicitValue;
import io.entroq.server.settings.InvalidSettingException;
import io.entroq.server.settings.Section;
import io.entroq.server.settings.Setting;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.ValueSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * A table of settings as options of a command. All of them are texts here, since who has given a
 * value does not matter to what it may be.
 */
abstract class SettingsOptions implements IModelTransformer {
  private final List<Setting<?>> table;

  /**
   * @param table what can be said
   */
  SettingsOptions(List<Setting<?>> table) {
    this.table = table;
  }

  @Override
  public CommandSpec transform(CommandSpec spec) {
    int order = 0;
    for (Section section : Section.values()) {
      List<Setting<?>> settings =
          table.stream().filter(setting -> setting.section() == section).toList();
      if (!settings.isEmpty()) {
        ArgGroupSpec.Builder group =
            ArgGroupSpec.builder()
                .heading("%n" + section.title() + ":%n")
                .exclusive(false)
                .validate(false)
                .order(order++);
        settings.forEach(setting -> addTo(group, setting));
        spec.addArgGroup(group.build());
      }
    }
    return spec;
  }

  private static void addTo(ArgGroupSpec.Builder group, Setting<?> setting) {
    String[] names = setting.flags();
    for (int i = 0; i < names.length; i++) {
      OptionSpec.Builder option =
          OptionSpec.builder(names[i])
              .paramLabel(setting.type().label())
              .description(description(setting))
              // The help has one spelling.
              .hidden(i > 0)
              // Of flags that stand there twice the last one counts, as with EntroQ.
              .type(List.class)
              .auxiliaryTypes(String.class)
              .arity(setting.isFlag() ? "0..1" : "1");
      if (setting.isFlag()) {
        option.fallbackValue("true").paramLabel("true|false").hideParamSyntax(false);
      }
      group.addArg(option.build());
    }
  }

  private static String description(Setting<?> setting) {
    return "%s Default: %s."
        .formatted(setting.description(), setting.defaultDescription())
        .replace("%", "%%");
  }

  /**
   * What a server is told by a command line, the environment and a configuration file.
   *
   * @param table what can be said
   * @param config the file that the command line names; null: none
   * @param rules throws if something of it cannot be together
   * @throws ParameterException if something cannot be
   */
  static Settings settings(
      List<Setting<?>> table, CommandLine command, Path config, Consumer<Settings> rules) {
    try {
      Settings settings =
          Settings.of(
              table,
              given(table, command.getParseResult()),
              Optional.ofNullable(config),
              System.getenv());
      rules.accept(settings);
      return settings;
    } catch (InvalidSettingException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  /** What a command line says of settings. */
  static List<ExplicitValue> given(List<Setting<?>> table, ParseResult parsed) {
    Map<String, Setting<?>> settings = new HashMap<>();
    for (Setting<?> setting : table) {
      for (String name : setting.flags()) {
        settings.put(name, setting);
      }
    }
    List<ExplicitValue> given = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      Setting<?> setting = settings.get(option.longestName());
      if (setting != null) {
        List<String> values = option.getValue();
        given.add(
            new ExplicitValue(
                setting,
                values.get(values.size() - 1),
                new ValueSource.Flag(option.longestName())));
      }
    }
    return given;
  }
}
