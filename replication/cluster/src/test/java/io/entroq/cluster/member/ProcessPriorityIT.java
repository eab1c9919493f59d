package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A member's process asks Linux to run it soon, and does without if that is not allowed. */
@EnabledOnOs(
    value = OS.LINUX,
    architectures = {"amd64", "aarch64"})
class ProcessPriorityIT {
  private static final Pattern RAISED =
      Pattern.compile("(\\d+) of (\\d+) threads ask for short time slices, and (\\d+) have nice");

  private static final Pattern LATER = Pattern.compile("a later thread has nice (-?\\d+)");

  /** Raises itself, and prints the priority of a thread that started afterwards. */
  static final class Raised {
    private Raised() {}

    public static void main(String[] args) throws InterruptedException {
      ProcessPriority.raise();
      Thread later = new Thread(() -> System.out.println("a later thread has nice " + nice()));
      later.start();
      later.join();
    }

    private static String nice() {
      try {
        // Field 19, counted after the name, which may contain spaces.
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16];
      } catch (IOException e) {
        return e.toString();
      }
    }
  }

  @Test
  void shouldRaiseAllThreads() throws Exception {
    assumeThat(Integer.parseInt(Raised.nice())).as("nice of the tests").isNotPositive();
    String output = run();
    Matcher raised = RAISED.matcher(output);
    assertThat(raised.find()).as(output).isTrue();
    assertThat(raised.group(1)).as(output).isEqualTo(raised.group(2));
    Matcher later = LATER.matcher(output);
    assertThat(later.find()).as(output).isTrue();
    boolean mayNice = !raised.group(3).equals("0");
    assertThat(Integer.parseInt(later.group(1)) <= -5).as(output).isEqualTo(mayNice);
  }

  @Test
  void shouldRaiseTheSessionThatItLeads() throws Exception {
    assumeThat(Path.of("/proc/self/autogroup")).exists();
    assumeThat(Integer.parseInt(Raised.nice())).as("nice of the tests").isNotPositive();
    String output = run("setsid", "--wait");
    Matcher raised = RAISED.matcher(output);
    assertThat(raised.find()).as(output).isTrue();
    boolean mayNice = !raised.group(3).equals("0");
    assertThat(output.contains("and so has their session")).as(output).isEqualTo(mayNice);
    assertThat(run()).as("in the session of the tests").doesNotContain("session");
  }

  @Test
  void shouldLeaveAProcessAloneThatTheUserHasSlowedDown() throws Exception {
    String output = run("nice", "-n", "19");
    assertThat(output).contains("0 of ").contains("a later thread has nice 19");
  }

  private static String run(String... before) throws Exception {
    List<String> command = new ArrayList<>(List.of(before));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Raised.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
