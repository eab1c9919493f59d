package io.entroq.perf.peers.beanstalkd;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.process.ChildProcess;
import io.entroq.perf.peers.process.ChildServer;
import io.entroq.perf.peers.process.InstalledPrograms;
import io.entroq.perf.peers.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server on a free port; each queue is a tube. */
final class BeanstalkdServer extends ChildServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(20);
  private static final String BINLOG = "-b";

  private final int port;
  private final String version;

  private BeanstalkdServer(ChildProcess child, int port, String version) {
    super(List.of(child));
    this.port = port;
    this.version = version;
  }

  static BeanstalkdServer start(Map<String, String> settings, Path directory) throws Exception {
    int port = Ports.free();
    String program = InstalledPrograms.find(BeanstalkdPeer.PROGRAM).orElseThrow().toString();
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program, "-l", "127.0.0.1", "-p", Integer.toString(port)));
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      command.add(setting.getKey());
      if (setting.getKey().equals(BINLOG)) {
        command.add(Files.createDirectories(directory.resolve("binlog")).toString());
      } else if (!setting.getValue().isEmpty()) {
        command.add(setting.getValue());
      }
    }
    String version =
        InstalledPrograms.firstLine(program, "-v").replace(BeanstalkdPeer.PROGRAM, "").strip();
    ChildProcess child = ChildProcess.start("beanstalkd", directory, Map.of(), command);
    return started(
        List.of(child),
        () -> {
          child.awaitPort(START_LIMIT, port);
          return new BeanstalkdServer(child, port, version);
        });
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape) throws IOException {
    return caller -> new BeanstalkdSession(port, name);
  }
}
