package io.entroq.perf.peers;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberJvm;
import io.entroq.engine.JvmFlags;
import io.entroq.load.EntroQSession;
import io.entroq.load.LoadSession;
import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.process.ChildProcess;
import io.entroq.perf.peers.process.ChildServer;
import io.entroq.perf.peers.process.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The processes of the members, started as {@code entroq node} starts them. */
final class EntroQCluster extends ChildServer {
  private static final String MAIN = "io.entroq.server.cli.Main";
  private static final Duration START_LIMIT = Duration.ofSeconds(80);

  private final String addresses;

  private EntroQCluster(List<ChildProcess> members, String addresses) {
    super(members);
    this.addresses = addresses;
  }

  static EntroQCluster start(Map<String, String> settings, int count, Path directory)
      throws Exception {
    String memberList =
        Stream.generate(() -> address(Ports.free(MemberAddress.PORTS)))
            .limit(count)
            .collect(Collectors.joining(","));
    List<Integer> ports = Ports.ofNodes(count);
    List<ChildProcess> members = new ArrayList<>();
    return started(
        members,
        () -> {
          for (int id = 0; id < count; id++) {
            members.add(member(id, memberList, ports.get(id), settings, directory));
          }
          for (int id = 0; id < count; id++) {
            members.get(id).awaitPort(START_LIMIT, ports.get(id));
          }
          EntroQCluster cluster =
              new EntroQCluster(
                  members,
                  ports.stream().map(EntroQCluster::address).collect(Collectors.joining(",")));
          cluster.awaitCommit();
          return cluster;
        });
  }

  private static String address(int port) {
    return Ports.HOST + ":" + port;
  }

  private static ChildProcess member(
      int id, String memberList, int port, Map<String, String> settings, Path directory)
      throws IOException {
    List<String> flags = new ArrayList<>(List.of(JvmFlags.line().split(" ", 0)));
    flags.addAll(MemberJvm.flags(Runtime.getRuntime().availableProcessors(), System.getenv()));
    flags.addAll(List.of("-Xmx1g", "-XX:MaxDirectMemorySize=4g"));
    // Members are stopped between turns. Aeron's clients must not give up their driver then.
    flags.add("-Daeron.driver.timeout=" + Duration.ofDays(1).toMillis());
    List<String> arguments = new ArrayList<>();
    arguments.add("node");
    arguments.add("--id=" + id);
    arguments.add("--members=" + memberList);
    arguments.add("--data=" + directory.resolve("member" + id));
    arguments.add("--bootstrap");
    arguments.add("--host=" + Ports.HOST);
    arguments.add("--port=" + port);
    arguments.add("--http-port=0");
    settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
    return ChildProcess.startJvm("member" + id, directory, flags, MAIN, arguments);
  }

  /** Returns when a leader has committed; the client tries again until then. */
  private void awaitCommit() {
    try (EntroQ queue = EntroQ.connect(addresses)) {
      Modification probe = Modification.insert(Insert.into("probes"));
      Task task = queue.modify(probe).orThrow().inserted().get(0);
      queue.modify(Modification.delete(task)).orThrow();
    }
  }

  @Override
  public String version() {
    return "this build";
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape) {
    EntroQ queue = EntroQ.connect(addresses);
    return new LoadTarget() {
      @Override
      public LoadSession open(int caller) {
        return new EntroQSession(queue, name);
      }

      @Override
      public void close() {
        queue.close();
      }
    };
  }

  @Override
  public void resume() throws Exception {
    super.resume();
    awaitCommit();
  }
}
