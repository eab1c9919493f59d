package io.entroq.perf.peers.peer;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A task queue, run as its users would run it on one machine. */
public abstract class Peer {
  private final String id;
  private final String name;
  private final Set<DurabilityClass> durabilities;

  /**
   * @param id the name in options, in lower case
   * @param name the name in tables
   * @param durabilities the classes that it can be configured for
   */
  protected Peer(String id, String name, Set<DurabilityClass> durabilities) {
    this.id = id;
    this.name = name;
    this.durabilities = Set.copyOf(durabilities);
  }

  public final String id() {
    return id;
  }

  public final String name() {
    return name;
  }

  public final Set<DurabilityClass> durabilities() {
    return durabilities;
  }

  /** Why it cannot be measured on this machine; empty if it can. */
  public Optional<String> absence() {
    return Optional.empty();
  }

  /** The settings that {@link #start} uses, and the steps of a cycle. */
  public abstract Settings settings(DurabilityClass durability);

  /**
   * Starts it, empty.
   *
   * @param directory for its files; empty, and removed by the caller after the server is closed
   * @throws Exception if it does not start; the message gives the reason
   */
  public abstract Server start(DurabilityClass durability, Path directory) throws Exception;
}
