package io.entroq.server.cli.queue.options;

import io.entroq.api.Claim;
import io.entroq.server.settings.DurationConverter;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a task is taken for. */
public final class LeaseOption {
  @Option(
      names = {"-d", "--duration"},
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Duration of the lease: " + DurationConverter.FORMS + ". Default: 30.")
  private Duration lease = Claim.DEFAULT_LEASE;

  /** From the moment at which the task is taken; zero or more. */
  public Duration duration() {
    return lease;
  }
}
