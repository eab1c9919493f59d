package io.entroq.server.localcluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The configuration of a cluster on this machine.
 *
 * @param directory of all members, with the file of their ports
 * @param members number of members; empty: as in the directory, or 3
 * @param host local address to listen on
 * @param port of gRPC of the first member, the others have the next ones; empty: any
 * @param httpPort the same for HTTP
 * @param memberPort the first of the first member for the others, of which each has five; empty:
 *     any
 * @param heapMiB heap of each process; as much again for tasks
 * @param nodeOptions further options of each member's command
 * @param patience how long members may take to stop
 * @param driverDirectory where the media driver of each has a directory of its own; empty: as
 *     members choose
 */
public record LocalClusterConfig(
    Path directory,
    OptionalInt members,
    String host,
    OptionalInt port,
    OptionalInt httpPort,
    OptionalInt memberPort,
    int heapMiB,
    List<String> nodeOptions,
    Duration patience,
    Optional<Path> driverDirectory) {
  static final int MEMBERS_DEFAULT = 3;

  /** Copies the list. */
  public LocalClusterConfig {
    nodeOptions = List.copyOf(nodeOptions);
  }

  /** The requested first port. */
  Optional<Integer> port(PortUse kind) {
    OptionalInt said =
        switch (kind) {
          case GRPC -> port;
          case HTTP -> httpPort;
          case MEMBERS -> memberPort;
        };
    return said.isPresent() ? Optional.of(said.getAsInt()) : Optional.empty();
  }

  /** The media driver's directory of one member, below the one given for all. */
  Optional<Path> driverDirectoryOf(int memberId) {
    return driverDirectory.map(all -> all.resolve("member-" + memberId));
  }

  /** The use of a port. */
  enum PortUse {
    GRPC(1),
    HTTP(1),
    MEMBERS(5);

    private final int count;

    PortUse(int count) {
      this.count = count;
    }

    /** The number of consecutive ports. */
    int count() {
      return count;
    }
  }
}
