package io.entroq.server.cli.queue.options;

import picocli.CommandLine.Option;

/** What commands of older releases of EntroQ's own tool are given by habit. Changes nothing. */
public final class JsonValuesOption {
  @Option(
      names = {"-j", "--json"},
      hidden = true,
      description = "Print values as JSON, which is done anyway.")
  boolean isGiven;
}
