package io.entroq.perf.served;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.client.EntroQClient;
import io.entroq.cluster.member.UnusedPorts;
import io.entroq.perf.fixture.RateLimit;
import io.entroq.perf.fixture.TaskCycle;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how long pages of the console take on a server with many tasks in many queues, and what
 * viewers cost whose pages stay open. Meanwhile a caller works at a moderate rate, so that there is
 * something to see.
 */
@Command(
    name = "ConsolePages",
    description = "Measures pages of the console, and what viewers cost, with many tasks.")
public final class ConsolePages extends BenchmarkCommand {
  private static final int BATCH = 1_000;
  private static final Value VALUE = Value.text("a small value");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How often an open page asks again. */
  private static final long LIVE_MS = 5_000;

  /** What 50 viewers look in a quarter of an hour. */
  private static final int WARM_UP_LOOKS = 9_000;

  private static final int SETTLE_SECONDS = 10;
  private static final int VIEWER_ROUNDS = 5;

  /** One queue in ten holds dead tasks. */
  private static final int DEAD_EVERY = 10;

  @Option(names = "--tasks", description = "Tasks (${DEFAULT-VALUE}).")
  private int tasks = 10_000_000;

  @Option(names = "--queues", description = "Queues (${DEFAULT-VALUE}).")
  private int queues = 100_000;

  @Option(names = "--loads", description = "Loads of each page that count (${DEFAULT-VALUE}).")
  private int loads = 200;

  @Option(names = "--viewers", description = "Viewers with an open page (${DEFAULT-VALUE}).")
  private int viewers = 50;

  @Option(names = "--seconds", description = "How long they look (${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(names = "--rate", description = "Cycles of a task a second (${DEFAULT-VALUE}).")
  private int rate = 200;

  @Option(names = "--seed", description = "Chooses queues (${DEFAULT-VALUE}).")
  private long seed = 26;

  private final HttpClient http = HttpClient.newHttpClient();
  private String root;

  private ConsolePages() {}

  public static void main(String[] args) {
    run(new ConsolePages(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    int httpPort = new UnusedPorts("127.0.0.1").take(1);
    root = "http://localhost:" + httpPort + "/console";
    List<String> flags = List.of("-Xmx2g", "-XX:MaxDirectMemorySize=10g");
    try (ServerProcess server = ServerProcess.inMemory(httpPort, flags);
        EntroQ queue = EntroQClient.connect("127.0.0.1:" + server.port())) {
      Report.note("inserting %,d tasks into %,d queues", tasks, queues);
      fill(queue);
      Thread worker = new Thread(() -> work(queue), "worker");
      worker.start();
      try {
        pages(queue, report);
        viewers(server, report);
      } finally {
        worker.interrupt();
        worker.join();
      }
    }
  }

  private String name(int number) {
    return "queue-%06d%s".formatted(number, number % DEAD_EVERY == 0 ? "/err" : "");
  }

  private void fill(EntroQ queue) {
    for (int i = 0; i < tasks; i += BATCH) {
      Modification.Builder insert = Modification.builder();
      for (int j = i; j < Math.min(tasks, i + BATCH); j++) {
        int number = j % queues;
        Insert task = Insert.into(name(number)).withValue(VALUE);
        insert.insert(
            number % DEAD_EVERY == 0
                ? task.withAttempt(3, "no answer from host " + j % 97 + " after 30 s")
                : task);
      }
      queue.modify(insert.build()).orThrow();
    }
  }

  private void work(EntroQ queue) {
    Random random = new Random(seed);
    TaskCycle cycle = new TaskCycle(queue);
    RateLimit limit = new RateLimit(rate);
    while (!Thread.currentThread().isInterrupted()) {
      limit.await(1);
      cycle.run(Claim.from(name(random.nextInt(queues))));
    }
  }

  private void pages(EntroQ queue, Report report) throws Exception {
    String name = name(1);
    Task task = queue.tasks(TaskQuery.in(name).withLimit(1)).get(0);
    Map<String, String> urls = new LinkedHashMap<>();
    urls.put("overview", "");
    urls.put("queues", "/queues");
    urls.put("queues, by prefix", "/queues?q=queue-05");
    urls.put("queues, most tasks first", "/queues?sort=ready&order=down");
    urls.put("queues, most active first", "/queues?sort=activity&order=down");
    urls.put("queues, last page", "/queues?page=" + (queues - 1) / 50);
    urls.put("queue", "/queue?name=" + name);
    urls.put("task", "/task?queue=%s&id=%s".formatted(name, task.id()));
    urls.put("dead letters", "/dead");
    urls.put("dead letters of a queue", "/dead?queue=" + name(0).replace("/", "%2F"));
    urls.put("workers", "/workers");
    urls.put("time", "/time");
    Table table = new Table("ms", "least", "p50", "p95", "longest");
    for (Map.Entry<String, String> page : urls.entrySet()) {
      Histogram took = LatencyTable.histogram();
      for (int i = -loads / 10; i < loads; i++) {
        long startNs = System.nanoTime();
        load(page.getValue());
        if (i >= 0) {
          took.recordValue(System.nanoTime() - startNs);
        }
      }
      double p95 = millis(took.getValueAtPercentile(95));
      table.row(
          page.getKey(),
          millis(took.getMinValue()),
          millis(took.getValueAtPercentile(50)),
          p95,
          millis(took.getMaxValue()));
      report.figure(page.getKey() + ", p95, ms", p95);
    }
    table.print();
  }

  private static double millis(long ns) {
    return ns / 1e6;
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(root + path)).timeout(PATIENCE).build();
  }

  private void load(String path) throws IOException, InterruptedException {
    HttpResponse<String> page = http.send(request(path), BodyHandlers.ofString());
    if (page.statusCode() != 200) {
      throw new IOException(path + ": status " + page.statusCode() + ": " + page.body());
    }
  }

  private void viewers(ServerProcess server, Report report) throws Exception {
    // So that all is compiled that they use, as it is on a server that has run for a while.
    for (int i = 0; i < WARM_UP_LOOKS; i++) {
      http.send(look(), BodyHandlers.discarding());
    }
    Table table = new Table("% of a processor", "without viewers", "with", "difference", "pages");
    double[] differences = new double[VIEWER_ROUNDS];
    for (int i = 0; i < VIEWER_ROUNDS; i++) {
      double without = share(server, 0, new AtomicLong());
      AtomicLong looks = new AtomicLong();
      double with = share(server, viewers, looks);
      differences[i] = with - without;
      table.row(viewers + " viewers", without, with, differences[i], looks.get());
    }
    table.print();
    report.figure("viewers, % of a processor, median", Spread.of(differences).median());
  }

  /**
   * How much of a processor the server uses while so many look at its overview, in percent, without
   * its compiler: that comes and goes, and ends when all is compiled.
   */
  private double share(ServerProcess server, int count, AtomicLong looks) throws Exception {
    ScheduledExecutorService each = Executors.newScheduledThreadPool(1);
    try {
      for (int i = 0; i < count; i++) {
        Future<?> unused =
            each.scheduleAtFixedRate(
                () -> look(looks), LIVE_MS * i / count, LIVE_MS, TimeUnit.MILLISECONDS);
      }
      TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
      looks.set(0);
      Duration compiledBefore = server.compileTime();
      Duration before = server.processorTime();
      long startNs = System.nanoTime();
      TimeUnit.SECONDS.sleep(seconds);
      long tookNs = System.nanoTime() - startNs;
      Duration used = server.processorTime().minus(before);
      Duration compiled = server.compileTime().minus(compiledBefore);
      return 100.0 * used.minus(compiled).toNanos() / tookNs;
    } finally {
      each.shutdownNow();
    }
  }

  /** What an open page asks for. */
  private HttpRequest look() {
    return HttpRequest.newBuilder(URI.create(root)).header("HX-Request", "true").build();
  }

  private void look(AtomicLong looks) {
    Future<?> unused =
        http.sendAsync(look(), BodyHandlers.discarding())
            .thenAccept(
                page -> {
                  if (page.statusCode() == 200) {
                    looks.incrementAndGet();
                  }
                });
  }
}
