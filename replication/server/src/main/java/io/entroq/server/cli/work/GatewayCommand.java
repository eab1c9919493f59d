package io.entroq.server.cli.work;

import io.entroq.api.EntroQ;
import io.entroq.api.worker.Backoff;
import io.entroq.server.settings.DurationConverter;
import io.entroq.server.workgateway.WorkGatewayConfig;
import io.entroq.server.workgateway.WorkGatewayServer;
import io.entroq.workers.WorkGateway;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code work gateway} command. */
@Command(
    name = "gateway",
    header = "Let programs in any language be workers, over pipes or WebSocket.",
    description = {
      "",
      "The program starts this command and speaks protocol 1 of EntroQ's work gateway with it, one"
          + " JSON object a line: it reads tasks and writes what is to become of them. This command"
          + " claims, renews leases, commits, retries and quarantines. It works on one task at a time;"
          + " for more, start it several times. It ends when the program closes its standard input. A"
          + " task that was not answered is then released; a result that was sent is committed.",
      "",
      "With --addr, programs connect to it, each for one task at a time. Their URLs may name some of"
          + " the queues, and other options than those given here, as in"
          + " /work?queue=inbox&maxAttempts=5.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq work gateway -s localhost:37706 -q inbox --max-attempts 5 --success",
      "  entroq work gateway -s localhost:37706 -q inbox --addr 8137",
      "",
      "Exit status: 0 if the program has hung up, or --until-empty ended it; 1 if it failed; 2 if"
          + " the command line is wrong; 70 if the queue was closed; 75 if the queue was not"
          + " available for too long; 78 if the program has broken the protocol or reported a fatal"
          + " failure; 128 plus the signal number if a signal ended it. With --addr, no program"
          + " ends it."
    })
final class GatewayCommand extends WorkerCommand {
  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      description =
          "After how many failures a task is moved to the error queue; 0 for never. Default: 0.")
  private int maxAttempts;

  @Option(
      names = "--max-claims",
      paramLabel = "N",
      description =
          "How often in a row a task may be claimed without an outcome before it is moved to the"
              + " error queue; 0 for ever. Default: 20.")
  private int maxClaims = 20;

  @Option(
      names = "--error-queue",
      paramLabel = "QUEUE",
      description = "Error queue; {inbox} stands for the task's queue. Default: {inbox}/err.")
  private String errorQueue = "{inbox}/err";

  @Option(
      names = "--retry-delay",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Delay before a retry, if the program names none; it doubles up to an hour. Default: 30.")
  private Duration retryDelay = Backoff.forTasks().initial();

  @Option(
      names = "--entroq-timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "For how long the queue may be unavailable, counted from the first failed call; a call to"
              + " a server fails only after 30 seconds. Default: 60.")
  private Duration unavailableMax = Duration.ofSeconds(60);

  @SuppressWarnings("UnusedVariable")
  @Option(names = "--work", description = "Always on; EntroQ's gateway asks for it.")
  private boolean isWork;

  @Option(
      names = "--take-docs",
      description = "Ask the program which docs a task needs, and claim them with it.")
  private boolean isTakeDocs;

  @Option(names = "--success", description = "Tell the program after each commit.")
  private boolean isSuccess;

  @Option(names = "--dependency", description = "Tell the program of each commit that failed.")
  private boolean isDependency;

  @ArgGroup(exclusive = false, heading = "Programs that connect:%n")
  private ListenOptions listen;

  private WorkGateway.Builder gateway;

  /** Null for standard input and output. */
  private WorkGatewayConfig listening;

  @Override
  void prepare() {
    gateway = gateway(queues());
    if (listen != null) {
      listening = listen.config(queues(), this::gateway);
    }
  }

  private WorkGateway.Builder gateway(List<String> queues) {
    String version = GatewayCommand.class.getPackage().getImplementationVersion();
    return WorkGateway.from(queues.toArray(String[]::new))
        .lease(lease())
        .maxAttempts(maxAttempts)
        .maxClaims(maxClaims)
        .errorQueue(errorQueue)
        .retryDelay(retryDelay)
        .unavailableMax(unavailableMax)
        .takeDocs(isTakeDocs)
        .tellSuccess(isSuccess)
        .tellDependency(isDependency)
        .version(version == null ? "development" : version);
  }

  @Override
  Running start(EntroQ queue) throws IOException {
    return listening == null ? overPipes(queue) : overSockets(queue);
  }

  private Running overPipes(EntroQ queue) {
    WorkGateway started =
        gateway.start(
            queue,
            new FileInputStream(FileDescriptor.in),
            new FileOutputStream(FileDescriptor.out));
    return new Running() {
      @Override
      public boolean isRunning() {
        return started.isRunning();
      }

      @Override
      public void close() {
        started.close();
      }

      @Override
      public int status() {
        return started.end().status();
      }
    };
  }

  private Running overSockets(EntroQ queue) throws IOException {
    WorkGatewayServer started = WorkGatewayServer.start(queue, listening);
    note("programs connect to " + started.url());
    return new Running() {
      @Override
      public boolean isRunning() {
        return started.isRunning();
      }

      @Override
      public void close() {
        started.close();
      }

      @Override
      public int status() {
        return WorkGateway.End.GATEWAY.status();
      }
    };
  }
}
