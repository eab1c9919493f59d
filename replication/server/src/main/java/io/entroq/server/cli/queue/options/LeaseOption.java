package io.entroq.server.cli.queue.options;

import io.entroq.api.Claim;
import io.entroq.server.settings.DurationConverter;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The option for the duration of a lease. */
public final class LeaseOption {
  @Option(
      names = {"-d", "--duration"},
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Duration of the lease: " + DurationConverter.FORMS + ". Default: 45.")
  private Duration lease = Claim.DEFAULT_LEASE;

  /** Zero or more. */
  public Duration duration() {
    return lease;
  }
}
