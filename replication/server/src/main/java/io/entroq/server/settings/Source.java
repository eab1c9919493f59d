package io.entroq.server.settings;

/** Where a value comes from. */
public sealed interface Source {
  /** Names the setting as whoever gave it has named it. */
  String said(Setting<?> setting);

  /**
   * The command line.
   *
   * @param name of the flag, as it was spelled
   */
  record Flag(String name) implements Source {
    @Override
    public String said(Setting<?> setting) {
      return name;
    }
  }

  /** The environment. */
  record Variable() implements Source {
    @Override
    public String said(Setting<?> setting) {
      return setting.variable();
    }
  }

  /**
   * A configuration file.
   *
   * @param line from 1
   */
  record Line(String file, int line) implements Source {
    @Override
    public String said(Setting<?> setting) {
      return "%s:%d: %s".formatted(file, line, setting.name());
    }
  }

  /** Nobody has said anything. */
  record Standard() implements Source {
    @Override
    public String said(Setting<?> setting) {
      return "default of " + setting.flags()[0];
    }
  }
}
