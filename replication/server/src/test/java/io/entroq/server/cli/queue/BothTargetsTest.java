package io.entroq.server.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands print the same for a server and a directory. */
class BothTargetsTest {
  /** Ids made by engines and by clients. */
  private static final Pattern ID =
      Pattern.compile("\\b([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16})\\b");

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z?");

  private static final Pattern AGE =
      Pattern.compile("\\b(\\d+(\\.\\d+)?(ms|[smhd]))+\\b|(?<=\"oldestAvailableMs\":)\\d+");

  /** The commands in order, each with its exit status; {@code #0} is the first id made. */
  private static final List<String> COMMANDS =
      List.of(
          "0 ins -q inbox -v {\"x\":[1,2.5,null]}",
          "0 ins -q inbox -v 2",
          "0 ins -q later -i 1h",
          "0 tryclaimid -q inbox -t #0 -d 1h --claimant me",
          "1 tryclaimid -q inbox -t #0 --claimant other",
          "1 tryclaimid -q inbox -t #0:7 --claimant me",
          "1 tryclaimid -q none -t #0",
          "0 claim -q inbox --try -d 0 --claimant me",
          "3 claim -q none --try",
          "0 ts -q inbox -t #0",
          "0 ts -q inbox -t #0 -V",
          "0 ts -t #1",
          "1 mod -t #0 -v 3",
          "0 mod -t #0 -Q inbox/err -v {\"\\u00e9\":\"\\u2028\"} --claimant me",
          "0 mod -t #1 -Q inbox/err -f",
          "1 mod -t ffffffffffffffff -v 1",
          "0 qs",
          "0 qs -q inbox/err",
          "0 qs -p none",
          "0 stats -p inbox",
          "0 redrive -q inbox --dry-run -j -t #0",
          "0 redrive -q inbox -t #0",
          "1 redrive -q inbox -t ffffffffffffffff",
          "0 redrive -q inbox -j",
          "0 ts -q inbox -t #0 -t #1",
          "1 rm -t #0:0",
          "0 rm -t #0",
          "1 rm -t #0",
          "0 clear -q inbox",
          "0 clear -q later -f",
          "1 rm -t #2",
          "0 clear -q none",
          "0 doc-put -n config -k b -v 2",
          "0 doc-put -n config -k a -K z -v {\"x\":1}",
          "0 doc-put -n other -k a",
          "0 docs -n config",
          "0 docs -n config -k b",
          "0 docs -n config -V -l 1",
          "0 docs -n config -i #4 -i none",
          "0 docs -n none",
          "0 ns",
          "0 ns -j -p c",
          "0 ns -l 1 -n other",
          "0 doc-rm -n config -i #3",
          "1 doc-rm -n config -i #3",
          "0 ns",
          "0 qs -j",
          "0 policy set -q inbox --rate 100/1s --in-flight 20",
          "2 policy set -q inbox --dead-queue inbox",
          "0 limiter set -n api --rate 1/1h",
          "0 policy set -p in --limiter api",
          "0 pause -q inbox",
          "0 pause --limiter api --for 10m",
          "0 policy get -q inbox",
          "1 policy get -q none",
          "0 policy ls -j",
          "0 limiter ls",
          "0 resume -q inbox",
          "0 policy rm -q inbox",
          "1 limiter rm -n none",
          "0 policy ls");

  @TempDir private Path temporary;

  @Test
  void shouldPrintTheSameForBothTargets() throws Exception {
    // Create it first, so that no command prints a note about it.
    Cli.on(temporary, "ins", "-q", "first");
    Cli.on(temporary, "clear", "-q", "first");
    try (EmbeddedEntroQ engine = EmbeddedEntroQ.inMemory();
        GrpcServer server = GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0))) {
      List<String> ofDirectory = new ArrayList<>();
      List<String> ofServer = new ArrayList<>();
      for (String command : COMMANDS) {
        String inDirectory = said(ofDirectory, command, "--data", temporary.toString());
        String onServer = said(ofServer, command, "-s", "localhost:" + server.port());
        assertThat(onServer).as(command).isEqualTo(inDirectory);
        assertThat(onServer).as(command).startsWith(command.substring(0, 2));
      }
      assertThat(ofServer).hasSize(6).hasSameSizeAs(ofDirectory);
    }
  }

  /** The exit status and the output, with ids replaced by their order and without times. */
  private static String said(List<String> ids, String command, String... target) {
    List<Object> words = new ArrayList<>();
    for (String word : command.substring(2).split(" ", -1)) {
      words.add(
          Pattern.compile("#(\\d)")
              .matcher(word)
              .replaceAll(name -> ids.get(Integer.parseInt(name.group(1)))));
    }
    if (!words.contains("--claimant")) {
      // Else a made-up id.
      words.addAll(List.of("--claimant", "somebody"));
    }
    words.addAll(List.of(target));
    Cli run = Cli.run(words.toArray());
    String said = run.status() + " " + run.out() + run.err();
    String unnamed = ID.matcher(said).replaceAll(id -> place(ids, id));
    String timeless = TIME.matcher(unnamed).replaceAll("TIME");
    // Columns are as wide as the ages in them.
    return AGE.matcher(timeless.replaceAll(" +", " ")).replaceAll("AGE");
  }

  private static String place(List<String> ids, MatchResult id) {
    if (id.group().equals("f".repeat(16))) {
      return id.group();
    }
    if (!ids.contains(id.group())) {
      ids.add(id.group());
    }
    return "#" + ids.indexOf(id.group());
  }
}
