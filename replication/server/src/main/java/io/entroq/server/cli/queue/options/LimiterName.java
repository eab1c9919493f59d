package io.entroq.server.cli.queue.options;

import io.entroq.api.Policies;
import picocli.CommandLine.Option;

/** The limiter that a command names. */
public final class LimiterName {
  @Option(
      names = {"-n", "--name"},
      paramLabel = "NAME",
      required = true,
      description = "Name of the limiter.")
  private String name;

  /**
   * The limiter.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if the name is empty or too long
   */
  public Policies.Target target() {
    return Policies.Target.limiter(name);
  }
}
