package io.entroq.perf.code;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.process.JavaProcess;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Counts the EntroQ methods that a warm Modify and a warm Claim enter between call and return, on
 * all threads, and the classes of these methods. A debugger counts. A process of its own makes the
 * calls; for gRPC it contains both the client and the server.
 */
@Command(
    name = "CallWalk",
    description = "Counts method entries and classes between the call and the return of one call.")
public final class CallWalk extends BenchmarkCommand {
  private static final String OURS = "io.entroq.*";
  private static final String MEASURING = "io.entroq.perf.*";

  @Option(
      names = "--jar",
      description = "The benchmarks.jar of the build to measure. Default: this one.")
  private Path jar;

  @Option(names = "--walks", description = "Measurements of each call (${DEFAULT-VALUE}).")
  private int walks = 25;

  @Option(names = "--trace", description = "Directory for the methods of the shortest walks.")
  private Path trace;

  private CallWalk() {}

  public static void main(String[] args) {
    run(new CallWalk(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    Table table = new Table("one call, warm", "method entries", "classes", "median of entries");
    for (String way : List.of("embedded", "grpc")) {
      List<List<String>> calls = walk(way);
      for (int i = 0; i < WalkedCalls.CALLS.size(); i++) {
        add(way + ": " + WalkedCalls.CALLS.get(i), walksOf(i, calls), table, report);
      }
    }
    table.print();
  }

  /** All walks of one call, the shortest first. */
  private static List<List<String>> walksOf(int call, List<List<String>> walks) {
    return IntStream.range(0, walks.size())
        .filter(i -> i % WalkedCalls.CALLS.size() == call)
        .mapToObj(walks::get)
        .sorted(Comparator.comparingInt(List::size))
        .toList();
  }

  /** The shortest walk counts: in longer ones a thread polled for work in vain. */
  private void add(String call, List<List<String>> sorted, Table table, Report report)
      throws IOException {
    List<String> shortest = sorted.get(0);
    long classes = shortest.stream().map(CallWalk::className).distinct().count();
    int median = sorted.get(sorted.size() / 2).size();
    table.row(call, shortest.size(), classes, median);
    report.figure(
        call, Map.of("entries", shortest.size(), "classes", classes, "medianEntries", median));
    if (trace != null) {
      Files.createDirectories(trace);
      Files.write(trace.resolve(call.replaceAll("\\W+", "-") + ".txt"), shortest);
    }
  }

  private static String className(String entry) {
    return entry.substring(entry.indexOf(' ') + 1, entry.indexOf('#'));
  }

  /** The entries of each call, as "[thread] class#method". */
  private List<List<String>> walk(String way) throws Exception {
    try (ScratchDirectory scratch = new ScratchDirectory()) {
      VirtualMachine machine = launch(way, scratch.resolve("data"));
      Thread output = copy(machine.process().getInputStream(), System.err);
      Thread errors = copy(machine.process().getErrorStream(), System.err);
      List<List<String>> calls = new ArrayList<>();
      try {
        record(machine, calls);
      } catch (VMDisconnectedException e) {
        // The process has made all calls.
      }
      output.join();
      errors.join();
      if (calls.size() != WalkedCalls.CALLS.size() * walks) {
        throw new IllegalStateException("recorded only " + calls.size() + " calls");
      }
      return calls;
    }
  }

  private VirtualMachine launch(String way, Path data) throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    String own = System.getProperty("java.class.path");
    String classPath = jar == null ? own : jar + File.pathSeparator + own;
    String flags = String.join(" ", JavaProcess.accessFlags());
    arguments.get("options").setValue(flags + " -Xmx512m -cp " + classPath);
    arguments
        .get("main")
        .setValue(WalkedCalls.class.getName() + " " + way + " " + data + " " + walks);
    return connector.launch(arguments);
  }

  private static Thread copy(InputStream from, PrintStream to) {
    Thread thread =
        new Thread(
            () -> {
              try {
                from.transferTo(to);
              } catch (IOException e) {
                // The process has ended.
              }
            });
    thread.start();
    return thread;
  }

  private static void record(VirtualMachine machine, List<List<String>> calls)
      throws InterruptedException {
    ClassPrepareRequest loaded = machine.eventRequestManager().createClassPrepareRequest();
    loaded.addClassFilter(WalkedCalls.class.getName());
    loaded.enable();
    MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
    entries.addClassFilter(OURS);
    entries.addClassExclusionFilter(MEASURING);
    entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    while (true) {
      EventSet events = machine.eventQueue().remove();
      for (Event event : events) {
        if (event instanceof ClassPrepareEvent prepared) {
          mark(machine, prepared.referenceType());
        } else if (event instanceof BreakpointEvent mark) {
          if (mark.location().method().name().equals(WalkedCalls.BEGIN)) {
            calls.add(new ArrayList<>());
            entries.enable();
          } else {
            entries.disable();
          }
        } else if (event instanceof MethodEntryEvent entry) {
          Method method = entry.method();
          calls
              .get(calls.size() - 1)
              .add(
                  "["
                      + entry.thread().name().replace(' ', '-')
                      + "] "
                      + method.declaringType().name()
                      + "#"
                      + method.name());
        }
      }
      events.resume();
    }
  }

  private static void mark(VirtualMachine machine, ReferenceType calls) {
    for (String name : List.of(WalkedCalls.BEGIN, WalkedCalls.END)) {
      Method method = calls.methodsByName(name).get(0);
      BreakpointRequest request =
          machine.eventRequestManager().createBreakpointRequest(method.location());
      request.enable();
    }
  }
}
