package io.entroq.workers;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes the value of each task into a file of its own.
 *
 * <p>A file is named after its task, such as {@code task-5b0c….json}, or by a text in the value. It
 * has JSON as text, and bytes as they are; it is empty if there is no value. It is written under a
 * temporary name, forced to disk, and renamed, so that nobody sees a part of it, and it is there
 * before the task is deleted. It replaces a file of the same name: if the work is repeated, the
 * file is written again and remains one.
 *
 * <p>Nothing is written outside the directory. A name that is absolute, has {@code ..}, or leads
 * through a symbolic link is refused, also if somebody makes the link meanwhile: directories are
 * opened one below the other, and links are never followed.
 *
 * <p>After a kill, a file whose name begins with {@code .tmp.} may be left over.
 */
public final class FileHandler implements Handler<Value> {
  private static final String PREFIX_DEFAULT = "task-";
  private static final String SUFFIX = ".json";
  private static final int NAME_BYTES_MAX = 200;
  private static final int DEPTH_MAX = 32;

  private final Path directory;
  private final String prefix;
  private final Optional<JsonPointer> name;
  private final Optional<String> outbox;

  private record Output(String file, int bytes) {}

  private FileHandler(
      Path directory, String prefix, Optional<JsonPointer> name, Optional<String> outbox) {
    this.directory = Objects.requireNonNull(directory, "directory");
    this.prefix = prefix;
    this.name = name;
    this.outbox = outbox;
  }

  /**
   * Writes files into this directory. The names begin with {@code task-}.
   *
   * @param directory exists; what it is a link to does not matter
   */
  public static FileHandler into(Path directory) {
    return new FileHandler(
        directory.toAbsolutePath(), PREFIX_DEFAULT, Optional.empty(), Optional.empty());
  }

  /**
   * The same with another beginning of the names.
   *
   * @throws EntroQException.InvalidArgument if it cannot begin the name of a file
   */
  public FileHandler withPrefix(String newPrefix) {
    if (newPrefix.startsWith(".") || !encode(newPrefix).equals(newPrefix)) {
      throw new EntroQException.InvalidArgument(
          "prefix must have only letters, digits, - _ . and not begin with a dot, is '"
              + newPrefix
              + "'");
    }
    return new FileHandler(directory, newPrefix, name, outbox);
  }

  /**
   * Names each file by a text in the value: a path below the directory, without {@code .} and
   * {@code ..}. Directories are created.
   *
   * @param pointer a JSON Pointer, such as {@code /name}
   * @throws EntroQException.InvalidArgument if it is malformed
   */
  public FileHandler namedBy(String pointer) {
    try {
      return new FileHandler(directory, prefix, Optional.of(JsonPointer.compile(pointer)), outbox);
    } catch (IllegalArgumentException e) {
      throw new EntroQException.InvalidArgument(
          "'%s' is not a JSON Pointer such as /name".formatted(pointer), e);
    }
  }

  /** Inserts {@code {"file", "bytes"}} into this queue, in the Modify that deletes the task. */
  public FileHandler withOutbox(String queue) {
    Results.to(queue);
    return new FileHandler(directory, prefix, name, Optional.of(queue));
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws IOException {
    List<String> path = name.isPresent() ? named(work.value()) : List.of(fileName(work.task()));
    byte[] bytes = Json.bytes(work.value());
    try (RootedDirectory target =
        RootedDirectory.open(directory, path.subList(0, path.size() - 1))) {
      target.write(path.get(path.size() - 1), bytes);
    }
    Output output = new Output(String.join("/", path), bytes.length);
    return outbox
        .map(queue -> Outcome.done(Modification.insert(queue, Json.write(output))))
        .orElseGet(Outcome::done);
  }

  private List<String> named(Value value) {
    JsonNode found = Json.read(value).at(name.orElseThrow());
    if (!found.isTextual()) {
      throw Json.malformed("the value has no text at " + name.get());
    }
    String text = found.textValue();
    List<String> parts = List.of(text.split("/", -1));
    boolean isAllowed =
        parts.size() <= DEPTH_MAX && parts.stream().allMatch(FileHandler::isAllowed);
    if (!isAllowed) {
      throw Json.malformed(
          "'%s' is not the name of a file below the directory".formatted(Results.shorten(text)));
    }
    return parts;
  }

  private static boolean isAllowed(String part) {
    return !part.isEmpty()
        && !part.equals(".")
        && !part.equals("..")
        && !part.startsWith(RootedDirectory.TEMPORARY)
        && part.chars().noneMatch(c -> c < ' ' || c == '\\' || c == 0x7f)
        && part.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX;
  }

  private String fileName(Task task) {
    return prefix + encode(task.id()) + SUFFIX;
  }

  /** A different name for each id. */
  private static String encode(TaskId id) {
    String name = encode(id.text());
    return name.length() <= NAME_BYTES_MAX / 2 ? name : id.derive("file").text();
  }

  private static String encode(String text) {
    StringBuilder name = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean isPlain =
          (b >= 'a' && b <= 'z')
              || (b >= 'A' && b <= 'Z')
              || (b >= '0' && b <= '9')
              || b == '-'
              || b == '_'
              || b == '.';
      name.append(isPlain ? String.valueOf((char) b) : "%%%02X".formatted(b));
    }
    return name.toString();
  }
}
