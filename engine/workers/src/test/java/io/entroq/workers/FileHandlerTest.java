package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.worker.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileHandlerTest extends WorkersTestBase {
  @TempDir private Path temporary;
  private Path root;
  private Path outside;

  @BeforeEach
  void createDirectories() throws IOException {
    root = Files.createDirectory(temporary.resolve("root"));
    outside = Files.createDirectory(temporary.resolve("outside"));
  }

  private FileHandler named() {
    return FileHandler.into(root).namedBy("/name");
  }

  private void assertNoTasks() {
    assertThat(queue.queues(io.entroq.api.QueueQuery.all())).isEmpty();
  }

  @Test
  void shouldWriteTheValueIntoAFileOfTheTask() throws Exception {
    Task task = insert("{\"x\":1}");
    work(FileHandler.into(root));
    assertThat(root.resolve("task-" + task.id() + ".json")).hasContent("{\"x\":1}");
    assertThat(root).isDirectoryNotContaining("glob:**.tmp*");
    assertNoTasks();
  }

  @Test
  void shouldWriteBytesAsTheyAreAndAnEmptyFileForNoValue() throws Exception {
    Task bytes = insert(Value.bytes(new byte[] {1, 2}));
    Task none = insert(Insert.into("in"));
    work(FileHandler.into(root).withPrefix("v1."));
    assertThat(root.resolve("v1." + bytes.id() + ".json")).hasBinaryContent(new byte[] {1, 2});
    assertThat(root.resolve("v1." + none.id() + ".json")).isEmptyFile();
  }

  @Test
  void shouldWriteTheSameFileIfTheWorkIsRepeated() throws Exception {
    Task task = insert("1");
    FileHandler handler = FileHandler.into(root);
    AtomicInteger calls = new AtomicInteger();
    work(
        work -> {
          Outcome outcome = handler.handle(work);
          return calls.incrementAndGet() == 1 ? Outcome.release() : outcome;
        });
    assertThat(calls).hasValue(2);
    assertThat(root.toFile().list()).containsExactly("task-" + task.id() + ".json");
  }

  @Test
  void shouldInsertTheNameIfSomebodyWantsIt() throws Exception {
    insert("{\"name\":\"a/b\"}");
    work(named().withOutbox("written"));
    assertThat(result("written").toString()).isEqualTo("{\"file\":\"a/b\",\"bytes\":14}");
  }

  @Test
  void shouldWriteIntoDirectoriesThatTheValueNames() throws Exception {
    insert("{\"name\":\"a/b/c.txt\"}");
    insert("{\"name\":\"a/..c\"}");
    work(named());
    assertThat(root.resolve("a/b/c.txt")).hasContent("{\"name\":\"a/b/c.txt\"}");
    assertThat(root.resolve("a/..c")).exists();
    assertNoTasks();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../x",
        "a/../x",
        "a/../../x",
        "a/..",
        "/etc/x",
        "a//b",
        "a/",
        "./a",
        "a/.",
        "a\\\\b",
        "a\\u0000b",
        "a\\nb",
        ".tmp.x",
        "a/.tmp.x",
        "a\\u007f"
      })
  void shouldQuarantineATaskThatNamesNoFileBelowTheDirectory(String name) throws Exception {
    insert("{\"name\":\"%s\"}".formatted(name));
    work(named());
    assertQuarantined("' is not the name of a file below the directory");
    assertThat(root).isEmptyDirectory();
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void shouldQuarantineATaskWhoseNameIsTooLongOrTooDeep() throws Exception {
    insert("{\"name\":\"%s\"}".formatted("x".repeat(201)));
    work(named());
    assertQuarantined("is not the name");
    insert("{\"name\":\"%s\"}".formatted("x/".repeat(32) + "x"));
    work(named());
    assertQuarantined("is not the name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"name\":7}", "{\"name\":null}", "[]", "\"name\""})
  void shouldQuarantineATaskWithoutAName(String json) throws Exception {
    insert(json);
    work(named());
    assertQuarantined("the value has no text at /name");
  }

  @Test
  void shouldNotFollowALinkToADirectory() throws Exception {
    Files.createSymbolicLink(root.resolve("link"), outside);
    insert("{\"name\":\"link/x\"}");
    work(named());
    assertThat(outside).isEmptyDirectory();
    assertThat(only("in").attempt()).isOne();
    assertThat(only("in").err()).isNotEmpty();
  }

  @Test
  void shouldReplaceALinkAndNotWhatItLeadsTo() throws Exception {
    Path victim = Files.writeString(outside.resolve("victim"), "safe");
    Files.createSymbolicLink(root.resolve("x"), victim);
    insert("{\"name\":\"x\"}");
    work(named());
    assertThat(victim).hasContent("safe");
    assertThat(Files.isSymbolicLink(root.resolve("x"))).isFalse();
    assertThat(root.resolve("x")).hasContent("{\"name\":\"x\"}");
  }

  @Test
  void shouldStayInADirectoryThatIsExchangedForALink() throws Exception {
    try (RootedDirectory directory = RootedDirectory.open(root, java.util.List.of("a"))) {
      Files.move(root.resolve("a"), root.resolve("moved"));
      Files.createSymbolicLink(root.resolve("a"), outside);
      directory.write("x", new byte[1]);
    }
    assertThat(outside).isEmptyDirectory();
    assertThat(root.resolve("moved/x")).exists();
  }

  @Test
  void shouldFollowTheLinkThatTheDirectoryIs() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), root);
    insert("{\"name\":\"x\"}");
    work(FileHandler.into(link).namedBy("/name"));
    assertThat(root.resolve("x")).exists();
  }

  @Test
  void shouldRepeatTheWorkAndLeaveNothingIfAFileCannotBeWritten() throws Exception {
    Files.createDirectories(root.resolve("x/y"));
    insert("{\"name\":\"x\"}");
    work(named());
    assertThat(only("in").attempt()).isOne();
    assertThat(root.toFile().list()).containsExactly("x");
  }

  @Test
  void shouldNameFilesOfAllIdsDifferently() throws Exception {
    for (String id : new String[] {"../x", "a/b", "a%2Fb", ".", "é", "x".repeat(1_000)}) {
      insert(Insert.into("in").withId(id));
    }
    work(FileHandler.into(root));
    assertThat(root.toFile().list())
        .containsExactlyInAnyOrder(
            "task-..%2Fx.json",
            "task-a%2Fb.json",
            "task-a%252Fb.json",
            "task-..json",
            "task-%C3%A9.json",
            "task-" + TaskId.of("x".repeat(1_000)).derive("file") + ".json");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    FileHandler handler = FileHandler.into(root);
    for (String prefix : new String[] {".hidden", "a/b", "../", "a b"}) {
      assertThatThrownBy(() -> handler.withPrefix(prefix))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("is '" + prefix + "'");
    }
    assertThatThrownBy(() -> handler.namedBy("name"))
        .hasMessage("'name' is not a JSON Pointer such as /name");
    assertThatThrownBy(() -> handler.withOutbox("")).hasMessageContaining("queue");
  }
}
