package io.entroq.server.cli.work;

import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.server.settings.DurationConverter;
import io.entroq.workers.Destinations;
import io.entroq.workers.HttpRequestHandler;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The {@code work http} command. */
@Command(
    name = "http",
    header = "Send the HTTP request that each task describes.",
    description = {
      "",
      "A task has the value {\"method\", \"url\", \"header\", \"body\", \"timeout\"}: headers as lists, the"
          + " body in base64, the time limit in nanoseconds; only the URL is needed. The result has"
          + " {\"status_code\", \"header\", \"body\", \"elapsed\"} and goes to the outbox, whatever the"
          + " status is. Without a response it has \"error\" and goes to the errbox.",
      "",
      "Redirects are not followed and proxies not used. Addresses that are not public, such as"
          + " those of this machine and of private networks, are refused.",
      "",
      "A request may be sent twice. Its header Idempotency-Key is the same each time for a task.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work http --data data -q calls --allow-host api.example.com",
      "",
      "Exit status: 0 if --until-empty ended it; 1 if it failed; 2 if the command line is wrong;"
          + " 128 plus the signal number if a signal ended it."
    })
final class HttpCommand extends HandlerCommand {
  @Mixin private ResultOptions results;
  @Mixin private ResultOptions.OfTasks boxes;

  @Option(
      names = "--allow-host",
      paramLabel = "HOST",
      required = true,
      description =
          "Host that requests may go to; repeatable. HOST is for ports 80 and 443, HOST:PORT for"
              + " another one; *.DOMAIN and * stand for many.")
  private List<String> hosts;

  @Option(
      names = "--allow-net",
      paramLabel = "RANGE",
      description =
          "Addresses that allowed hosts may have though they are not public, such as 10.0.0.0/8;"
              + " repeatable. Default: none.")
  private List<String> ranges = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Time limit of a request; a task may ask for less. Default: 30.")
  private Duration timeout = HttpRequestHandler.TIMEOUT_DEFAULT;

  @Option(
      names = "--max-body",
      paramLabel = "BYTES",
      description = "How much of a body a result keeps, at most 655360. Default: 524288.")
  private int bodyBytesMax = HttpRequestHandler.BODY_BYTES_DEFAULT;

  @Override
  Handler<Value> open() {
    return HttpRequestHandler.to(
            Destinations.hosts(hosts).withRanges(ranges), boxes.apply(results.results()))
        .withLimits(timeout, bodyBytesMax);
  }

  @Override
  int retries() {
    return results.retries();
  }
}
