package io.entroq.perf.peers.beanstalkd;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Settings;
import io.entroq.perf.peers.process.InstalledPrograms;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A beanstalkd server, and a connection for each caller. */
public final class BeanstalkdPeer extends Peer {
  static final String PROGRAM = "beanstalkd";

  public BeanstalkdPeer() {
    super("beanstalkd", "beanstalkd", EnumSet.allOf(DurabilityClass.class));
  }

  @Override
  public Optional<String> absence() {
    return InstalledPrograms.absence(PROGRAM);
  }

  @Override
  public Settings settings(DurabilityClass durability) {
    Map<String, String> server = new LinkedHashMap<>();
    if (durability != DurabilityClass.MEMORY) {
      server.put("-b", "dir");
      server.put("-s", "67108864");
      server.put(durability == DurabilityClass.DISK ? "-f0" : "-F", "");
    }
    return new Settings(
        switch (durability) {
          case MEMORY -> "nothing is written";
          case OS -> "written to the binlog before the reply, never forced";
          case DISK -> "the binlog is forced after each write, one force for each";
        },
        server,
        Map.of("client", "the protocol over a socket, TCP_NODELAY, a connection for each caller"),
        "put; reserve-with-timeout; delete (of a batch each pipelined)");
  }

  @Override
  public Server start(DurabilityClass durability, Path directory) throws Exception {
    return BeanstalkdServer.start(settings(durability).server(), directory);
  }
}
