package io.entroq.server.cli.queue.options;

import picocli.CommandLine.Option;

/** An option of older releases of EntroQ's tool; has no effect. */
public final class JsonValuesOption {
  @Option(
      names = {"-j", "--json"},
      hidden = true,
      description = "Print values as JSON, which is done anyway.")
  boolean isGiven;
}
