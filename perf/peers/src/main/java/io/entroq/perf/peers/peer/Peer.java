package io.entroq.perf.peers.peer;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A task queue, run as its users would run it on one machine. */
public interface Peer {
  /** The name in options, in lower case. */
  String id();

  /** The name in tables. */
  String name();

  /** Why it cannot be measured on this machine; empty if it can. */
  default Optional<String> absence() {
    return Optional.empty();
  }

  /** The classes that it can be configured for. */
  Set<DurabilityClass> durabilities();

  /** The settings that {@link #start} uses, and the steps of a cycle. */
  Settings settings(DurabilityClass durability);

  /**
   * Starts it, empty.
   *
   * @param directory for its files; empty, and removed by the caller after the server is closed
   * @throws Exception if it does not start; the message gives the reason
   */
  Server start(DurabilityClass durability, Path directory) throws Exception;
}
