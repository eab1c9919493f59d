package io.entroq.server.cli.queue.options;

import picocli.CommandLine.Option;

/** An option of older releases of EntroQ's tool. It has no effect. */
public final class JsonValuesOption {
  @Option(
      names = {"-j", "--json"},
      hidden = true,
      description = "No effect: values are always JSON.")
  boolean isGiven;
}
