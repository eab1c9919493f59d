package io.entroq.server.cli.queue.options;

import io.entroq.api.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The queue or prefix that a command names. */
public final class PolicyName {
  @Option(
      names = {"-q", "--queue"},
      paramLabel = "QUEUE",
      converter = QueueNameConverter.class,
      description = "The queue of this exact name.")
  private String queue;

  @Option(
      names = {"-p", "--prefix"},
      paramLabel = "PREFIX",
      description = "Each queue whose name begins with this.")
  private String prefix;

  /**
   * The one target that the options name; empty if none or several.
   *
   * @param limiter another target's name; null for none
   * @throws io.entroq.api.EntroQException.InvalidArgument if a name is empty or too long
   */
  public Optional<Policies.Target> target(String limiter) {
    List<Policies.Target> targets = new ArrayList<>();
    if (queue != null) {
      targets.add(Policies.Target.queue(queue));
    }
    if (prefix != null) {
      targets.add(Policies.Target.prefix(prefix));
    }
    if (limiter != null) {
      targets.add(Policies.Target.limiter(limiter));
    }
    return targets.size() == 1 ? Optional.of(targets.get(0)) : Optional.empty();
  }
}
