package io.entroq.server.settings;

/** What belongs together among the settings. */
public enum Section {
  MEMBERSHIP("Which member it is, and what it keeps"),
  PATIENCE("When members give each other up"),
  LISTENING("Where it listens"),
  STORE("What it keeps, and where"),
  TLS("Encryption"),
  AUTHORIZATION("Who may do what"),
  BOUNDS("How much at a time"),
  COMPATIBILITY("As EntroQ's own server does it"),
  TELLING("What it tells"),
  ENDING("How it ends");

  private final String title;

  Section(String title) {
    this.title = title;
  }

  /** A heading. */
  public String title() {
    return title;
  }
}
