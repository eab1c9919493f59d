package io.entroq.system.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.api.Durability;
import io.entroq.cluster.image.ImageSource;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.Liveness;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.member.MemberReplacement;
import io.entroq.cluster.member.MemberSeams;
import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.member.ProcessPriority;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.cluster.retention.Retention;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.log.LogException;
import io.entroq.engine.time.SlewedClock;
import io.entroq.service.grpc.GrpcLimits;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.http.HttpServer;
import io.entroq.service.http.HttpServerConfig;
import io.entroq.service.validation.ValidatedService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The process of a member and its server. It executes numbered commands from its input and answers
 * with numbered lines. It exits when its input closes, even while it starts.
 */
final class MemberMain {
  /** Begins the line with the port of the server. */
  static final String SERVING = "serves on ";

  /** Begins the cause of the end. */
  static final String HAS_ENDED = "The member has ended: ";

  /** Marks an answer, after the number of the command. */
  static final String DONE = "=";

  /** Marks a failure. */
  static final String FAILED = "!";

  /**
   * Trims log and snapshots during a trial, so that a returning member finds a log without its
   * beginning. No member is away for so long that its data is released.
   */
  private static final Retention SMALL =
      new Retention(128 << 10, Duration.ofSeconds(3), 256L << 20);

  private static final int DIGEST_SECONDS_MAX = 30;

  /** A snapshot may be too old by the time its image is copied; a slow machine may not answer. */
  private static final int COPIES_MAX = 5;

  /** How far the wall clock of this member is ahead. */
  private static final AtomicLong AHEAD_MS = new AtomicLong();

  private static volatile ClusterMember member;

  private MemberMain() {}

  /**
   * Starts a member and serves until it ends.
   *
   * @param args the number of the member; its directory; its {@link StartMode}; its durability; the
   *     heartbeat timeout and the process timeout in milliseconds; how far its clock is ahead in
   *     milliseconds; the port of its server; the directory of its media driver; whether it trims
   *     its data; host and first port of each member
   */
  public static void main(String[] args) throws Exception {
    ProcessPriority.raise();
    int id = Integer.parseInt(args[0]);
    List<MemberAddress> members = members(args);
    String host = members.get(id).host();
    PacketFilter.setOwn(InetAddress.getByName(host));
    AHEAD_MS.set(Long.parseLong(args[6]));
    Thread control = new Thread(MemberMain::readCommands, "control");
    control.setDaemon(true);
    control.start();
    StartMode mode = StartMode.read(args[2]);
    MemberConfig.Builder config =
        MemberConfig.of(id, members, Path.of(args[1]))
            .bootstrap(mode.isFirst())
            .driverDirectory(Path.of(args[8]))
            .durability(Durability.valueOf(args[3]))
            .liveness(liveness(args));
    MemberSeams.clock(config, MemberMain::clock);
    if (Boolean.parseBoolean(args[9])) {
      MemberSeams.fileBytes(config, Cluster.TRIMMED_FILE_BYTES)
          .retention(SMALL)
          .mirror(MirrorConfig.DEFAULT.withSegmentBytes(Cluster.TRIMMED_FILE_BYTES));
    }
    if (mode.source().isPresent()) {
      replace(config.build(), mode.source().get());
    }
    int port = Integer.parseInt(args[7]);
    try (ClusterMember started = ClusterMember.start(config.build());
        GrpcServer server = serve(started, host, port);
        HttpServer http = serveHttp(started, host, port + 1)) {
      member = started;
      System.out.println(SERVING + server.port() + " and " + http.port());
      Throwable cause = started.ended().get();
      System.err.println(HAS_ENDED + cause);
    }
    // Other threads may keep the process alive.
    Runtime.getRuntime().halt(1);
  }

  /** Copies the member from the others. */
  private static void replace(MemberConfig config, MemberReplacement.Source source) {
    List<ImageSource> images = new ArrayList<>();
    for (int other = 0; other < config.members().size(); other++) {
      if (other != config.memberId()) {
        images.add(new NeighborImages(config.directory().resolveSibling("member-" + other)));
      }
    }
    for (int attempt = 1; ; attempt++) {
      try {
        new MemberReplacement(config, images, (phase, done, total) -> {}).run(source);
        return;
      } catch (LogException | MemberException e) {
        if (attempt == COPIES_MAX) {
          throw e;
        }
        System.err.println("Copies the member again: " + e.getMessage());
      }
    }
  }

  private static List<MemberAddress> members(String[] args) {
    List<MemberAddress> members = new ArrayList<>();
    for (String address : Arrays.asList(args).subList(10, args.length)) {
      int colon = address.indexOf(':');
      members.add(
          MemberAddress.of(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
    }
    return members;
  }

  private static Liveness liveness(String[] args) {
    Liveness usual = Liveness.withHeartbeatTimeout(Duration.ofMillis(Long.parseLong(args[4])));
    return new Liveness(
        usual.heartbeatInterval(),
        usual.heartbeatTimeout(),
        usual.electionTimeout(),
        usual.canvassTimeout(),
        usual.sessionTimeout(),
        Duration.ofMillis(Long.parseLong(args[5])));
  }

  private static SlewedClock clock() {
    return new SlewedClock(
        System::nanoTime,
        () -> System.currentTimeMillis() + AHEAD_MS.get(),
        aheadMs -> System.err.println("the wall clock is " + aheadMs + " ms ahead"));
  }

  private static GrpcServer serve(ClusterMember member, String host, int port) throws IOException {
    return GrpcServer.start(
        member.queue().gateway(),
        new GrpcServerConfig(
            Optional.of(host),
            port,
            GrpcServerConfig.MESSAGE_BYTES_MAX_DEFAULT,
            GrpcLimits.DEFAULT,
            Optional.empty()));
  }

  private static HttpServer serveHttp(ClusterMember member, String host, int port)
      throws IOException {
    return HttpServer.start(
        member.queue().gateway(),
        HttpServerConfig.builder(port).host(host).build(),
        ValidatedService::new,
        Map.of());
  }

  private static void readCommands() {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answer(line);
      }
    } catch (IOException e) {
      System.err.println("Lost the input: " + e);
    }
    Runtime.getRuntime().halt(2);
  }

  private static void answer(String line) {
    String[] numbered = line.split(" ", 2);
    try {
      System.out.println(numbered[0] + " " + DONE + " " + answer(numbered[1].split(" ", -1)));
    } catch (Exception e) {
      System.out.println(numbered[0] + " " + FAILED + " " + e);
    }
  }

  private static String answer(String[] words) throws Exception {
    return switch (words[0]) {
      case "cut" -> cut(words);
      case "lose" -> lose(Double.parseDouble(words[1]));
      case "clock" -> clock(Long.parseLong(words[1]));
      case "status" -> status();
      case "digest" -> digest();
      case "source" -> source();
      case "kept" -> RetainedData.of(member()).text();
      case "end" -> end();
      case "snapshot" -> Boolean.toString(member().takeSnapshot());
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static ClusterMember member() {
    if (member == null) {
      throw new IllegalStateException("it is still starting");
    }
    return member;
  }

  private static String cut(String[] words) {
    Set<InetAddress> others =
        Arrays.stream(words, 1, words.length).map(MemberMain::address).collect(Collectors.toSet());
    PacketFilter.OF_THIS_PROCESS.cut(others);
    return "cut from " + others;
  }

  private static InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(host, e);
    }
  }

  private static String lose(double part) {
    PacketFilter.OF_THIS_PROCESS.lose(part);
    return "loses " + part;
  }

  private static String clock(long aheadMs) {
    AHEAD_MS.set(aheadMs);
    return "is " + aheadMs + " ms ahead";
  }

  private static String status() {
    MemberStatus status = member().status();
    return String.join(
        " ",
        status.role(),
        status.election(),
        Long.toString(status.appliedSequence()),
        Long.toString(status.snapshots()),
        Long.toString(status.termId()));
  }

  private static String digest() throws Exception {
    StateDigest digest = member().digest().get(DIGEST_SECONDS_MAX, TimeUnit.SECONDS);
    return digest.sequence() + " " + digest.history() + " " + digest.content();
  }

  /** What another member needs to copy from this one, which leads. */
  private static String source() throws Exception {
    return StartMode.copyFrom(
            member().status(), member().state().get(DIGEST_SECONDS_MAX, TimeUnit.SECONDS))
        .text();
  }

  /** Exits like a member that cannot continue. */
  private static String end() {
    System.err.println("The member was told to end");
    Runtime.getRuntime().halt(1);
    return "";
  }
}
