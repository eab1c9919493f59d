package io.entroq.server.cli;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.client.EntroQClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members over WireGuard, as the guide says. A stranger in the physical network reaches none. */
@Tag("long")
@Timeout(300)
class WireGuardIT {
  private static final Path GUIDE = Path.of("../guides/members-over-wireguard.md");
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int MEMBERS = 3;
  private static final int STRANGER = MEMBERS;
  private static final int FIRST_PORT = 9200;
  private static final int PORTS = 5;
  private static final int UNUSED_PORT = FIRST_PORT + PORTS;
  private static final int TASKS = 50;

  @TempDir Path directory;
  private String guide;
  private Machines machines;
  private final List<Process> members = new ArrayList<>();

  @BeforeEach
  void connect() throws Exception {
    Machines.missing("ip", "nft", "bash", "wg", "wg-quick", "wireguard-go")
        .ifPresent(why -> Assumptions.abort("skipped: " + why));
    guide = Files.readString(GUIDE);
    machines = Machines.make(MEMBERS + 1);
    for (int id = 0; id < MEMBERS; id++) {
      makeKey(id);
    }
    for (int id = 0; id < MEMBERS; id++) {
      Files.writeString(configuration(id), configurationText(id));
      Path rules = directory.resolve("rules-" + id);
      Files.writeString(rules, block("nft", id));
      machines.in(id, "nft -f " + rules);
      machines.in(id, "wg-quick up " + configuration(id));
      // Nothing else of the members leaves a machine.
      nft(id, "add table inet outside");
      nft(id, "add chain inet outside out { type filter hook output priority 0 ; }");
      nft(id, "add rule inet outside out oifname eth0 udp dport != 51820 counter drop");
    }
    // What a neighbor would do: it takes a member's machine for a way to all of them.
    for (int id = 0; id < MEMBERS; id++) {
      machines.in(STRANGER, "ip route add %s/32 via %s".formatted(inner(id), machines.address(id)));
    }
  }

  @AfterEach
  void close() {
    if (machines != null) {
      members.forEach(Process::destroyForcibly);
      members.forEach(member -> member.onExit().orTimeout(1, TimeUnit.MINUTES).join());
      machines.close();
    }
  }

  private void makeKey(int id) throws IOException {
    Process made =
        new ProcessBuilder(
                "sh", "-c", "umask 077; wg genkey > $0 && wg pubkey < $0 > $0.pub", key(id))
            .start();
    assertThat(made.onExit().orTimeout(1, TimeUnit.MINUTES).join().exitValue()).isZero();
  }

  private String key(int id) {
    return directory.resolve("key-" + id).toString();
  }

  /** All machines share the directory of sockets, so names must differ. */
  private static String tunnel(int id) {
    return "wg" + ProcessHandle.current().pid() % 100_000 + (char) ('a' + id);
  }

  private static String inner(int id) {
    return "10.9.0." + (id + 1);
  }

  private Path configuration(int id) {
    return directory.resolve(tunnel(id) + ".conf");
  }

  /** The guide's first machine, with the addresses and keys exchanged. */
  private String configurationText(int id) throws IOException {
    int[] order = {id, (id + 1) % MEMBERS, (id + 2) % MEMBERS};
    String text = block("ini", id);
    for (int i = 0; i < MEMBERS; i++) {
      text =
          text.replace("10.9.0." + (i + 1) + "/", "10.9.0.#" + i + "/")
              .replace("192.0.2." + (i + 1) + ":", Machines.NETWORK + "#" + i + ":")
              .replace(
                  i == 0 ? "PRIVATE" : "PUBLIC-" + (i + 1),
                  Files.readString(Path.of(key(order[i]) + (i == 0 ? "" : ".pub"))).strip());
    }
    for (int i = 0; i < MEMBERS; i++) {
      text = text.replace("#" + i, Integer.toString(order[i] + 1));
    }
    return text;
  }

  /** What the guide shows in a language, with the name of the member's interface. */
  private String block(String language, int id) {
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(guide);
    assertThat(block.find()).isTrue();
    return block.group(1).replace("   ", "").replace("wg0", tunnel(id));
  }

  private void nft(int id, String rule) throws IOException {
    machines.in(id, "nft " + rule);
  }

  /** How many packets a chain has dropped. */
  private int dropped(int id, String chain) throws IOException {
    String rules = machines.in(id, "nft list chain inet " + chain);
    Matcher counter = Pattern.compile("counter packets (\\d+)").matcher(rules);
    assertThat(counter.find()).as(rules).isTrue();
    return Integer.parseInt(counter.group(1));
  }

  @Test
  void shouldCloseMembersToStrangers() throws Exception {
    until("there is a way through", () -> reaches(1, inner(0), UNUSED_PORT));
    assertThat(reaches(STRANGER, inner(0), UNUSED_PORT)).isFalse();
    startMembers();
    String servers =
        IntStream.range(0, MEMBERS)
            .mapToObj(id -> machines.address(id) + ":37706")
            .collect(Collectors.joining(","));
    until("all serve", PATIENCE, () -> Cli.run("members", "-s", servers).status() == 0);
    try (EntroQ queue = EntroQClient.connect(servers)) {
      insert(queue);
      for (int id = 0; id < MEMBERS; id++) {
        tryToReach(id);
      }
      for (int id = 0; id < MEMBERS; id++) {
        nft(id, "add chain inet outside in { type filter hook input priority 0 ; }");
        nft(id, "add rule inet outside in iifname eth0 udp dport != 51820 counter drop");
      }
      insert(queue);
      assertThat(queue.queues(QueueQuery.all())).containsEntry("inbox", 2L * TASKS);
    }
    assertThat(Cli.run("members", "-s", servers).status()).isZero();
    for (int id = 0; id < MEMBERS; id++) {
      assertThat(Files.readString(log(id)))
          .contains(shown("members' traffic").replace("wg0", tunnel(id)));
      assertThat(dropped(id, "outside out")).isZero();
    }
    // Why the guide has the rules.
    nft(0, "delete table inet outside");
    nft(0, "flush chain inet entroq input");
    assertThat(reaches(STRANGER, inner(0), UNUSED_PORT)).isTrue();
    machines.in(0, "wg-quick down " + configuration(0));
    machines.in(0, "ip route add %s/32 via %s".formatted(inner(1), machines.address(STRANGER)));
    machines.isClosed(0, inner(1), UNUSED_PORT);
    assertThat(dropped(0, "entroq output")).isPositive();
  }

  private boolean reaches(int from, String host, int port) {
    try {
      return machines.isClosed(from, host, port);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void startMembers() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "the secret of all members");
    for (int id = 0; id < MEMBERS; id++) {
      List<String> words = new ArrayList<>(List.of(shown("entroq node").split(" ", 0)));
      words.remove("entroq");
      words.set(words.indexOf("--id") + 1, Integer.toString(id));
      words.set(words.indexOf("--secret-file") + 1, secret.toString());
      words.set(words.indexOf("--data") + 1, directory.resolve("data-" + id).toString());
      words.add("--warm-up=0");
      ProcessBuilder command = Java.command(Main.class, words.toArray(String[]::new));
      command.command().addAll(0, machines.launcher(id));
      members.add(command.redirectErrorStream(true).redirectOutput(log(id).toFile()).start());
    }
  }

  private Path log(int id) {
    return directory.resolve("member-" + id + ".log");
  }

  /** The line of the guide that begins so. */
  private String shown(String beginning) {
    return guide
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith(beginning))
        .findFirst()
        .orElseThrow();
  }

  private static void insert(EntroQ queue) {
    for (int i = 0; i < TASKS; i++) {
      queue.modify(Modification.insert("inbox", "task " + i)).orThrow();
    }
  }

  /** At the address inside, and at the one outside. */
  private void tryToReach(int id) throws IOException {
    for (int port = FIRST_PORT; port < UNUSED_PORT; port++) {
      int before = dropped(id, "entroq input");
      assertThat(reaches(STRANGER, inner(id), port)).isFalse();
      assertThat(dropped(id, "entroq input")).isGreaterThan(before);
      // The member does not listen there.
      assertThat(reaches(STRANGER, machines.address(id), port)).isTrue();
    }
  }
}
