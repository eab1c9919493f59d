package io.entroq.server.settings;

/** Where a value comes from. */
public sealed interface ValueSource {
  /** The setting's name as this source spells it. */
  String name(Setting<?> setting);

  /**
   * The command line.
   *
   * @param flag as it was spelled
   */
  record Flag(String flag) implements ValueSource {
    @Override
    public String name(Setting<?> setting) {
      return flag;
    }
  }

  /**
   * The environment.
   *
   * @param variable its name, ours or EntroQ's
   */
  record Variable(String variable) implements ValueSource {
    @Override
    public String name(Setting<?> setting) {
      return variable;
    }
  }

  /**
   * A configuration file.
   *
   * @param line from 1
   */
  record Line(String file, int line) implements ValueSource {
    @Override
    public String name(Setting<?> setting) {
      return "%s:%d: %s".formatted(file, line, setting.name());
    }
  }

  /** The default, which a user has not set. */
  record Default() implements ValueSource {
    @Override
    public String name(Setting<?> setting) {
      return "default of " + setting.flags()[0];
    }
  }
}
