package io.entroq.server.localcluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a cluster on this machine is told.
 *
 * @param directory where each member has one, and ports are written down
 * @param members how many; empty: as the directory has it, or 3
 * @param host the address of this machine to listen on
 * @param port of gRPC of the first member, the others have the next ones; empty: any
 * @param httpPort the same for HTTP
 * @param memberPort the first of the first member for the others, of which each has five; empty:
 *     any
 * @param heapMiB of each process; as much again is for tasks
 * @param nodeOptions more that each member is told, as options of its command
 * @param patience how long members may take to end
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

  /** Nothing changes behind its back. */
  public LocalClusterConfig {
    nodeOptions = List.copyOf(nodeOptions);
  }

  /** Where the ports begin that were asked for. */
  Optional<Integer> port(PortUse kind) {
    OptionalInt said =
        switch (kind) {
          case GRPC -> port;
          case HTTP -> httpPort;
          case MEMBERS -> memberPort;
        };
    return said.isPresent() ? Optional.of(said.getAsInt()) : Optional.empty();
  }

  /** The directory of one member's media driver: what all are told would be one for all of them. */
  Optional<Path> driverDirectoryOf(int memberId) {
    return driverDirectory.map(all -> all.resolve("member-" + memberId));
  }

  /** What ports are for. */
  enum PortUse {
    GRPC(1),
    HTTP(1),
    MEMBERS(5);

    private final int count;

    PortUse(int count) {
      this.count = count;
    }

    /** So many that follow each other. */
    int count() {
      return count;
    }
  }
}
