package io.entroq.tools.importing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A file that remembers which units an import has completed: a line that names source and target,
 * then one per unit, each with a checksum in front. An incomplete last line is ignored.
 */
public final class ImportStateFile implements ImportState, AutoCloseable {
  private static final int FORMAT = 1;
  private static final JsonFactory JSON = new JsonFactory();
  private static final int CHECKSUM_CHARS = 8;

  private final Path file;
  private final FileChannel channel;
  private final Set<UnitName> done = new HashSet<>();

  private ImportStateFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens a file, creating it if necessary.
   *
   * @param from the source
   * @param api the source's API
   * @param to the target
   * @throws CommandException if the file belongs to another import, is damaged, is in use, or
   *     cannot be read or written
   */
  public static ImportStateFile open(Path file, String from, String api, String to) {
    Map<String, String> head =
        Map.of("entroqImport", Integer.toString(FORMAT), "from", from, "api", api, "to", to);
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        ImportStateFile state = new ImportStateFile(file, channel);
        state.lock();
        state.load(head);
        return state;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static CommandException failed(Path file, IOException e) {
    return new CommandException("state file %s: %s".formatted(file, e), e);
  }

  private void lock() throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new CommandException("state file %s is in use by another import".formatted(file));
    }
  }

  private void load(Map<String, String> head) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    if (end == 0) {
      requireOwn(bytes);
      cutAt(0);
      append(head);
      return;
    }
    String[] lines = new String(bytes, 0, end, StandardCharsets.UTF_8).split("\n", -1);
    for (int i = 0; i < lines.length - 1; i++) {
      Map<String, String> members = read(lines[i], i + 1);
      if (i == 0) {
        requireSame(head, members);
      } else {
        done.add(unit(members, i + 1));
      }
    }
    cutAt(end);
  }

  private void cutAt(int end) throws IOException {
    channel.truncate(end).position(end);
  }

  /** A file without a complete line may be any file. */
  private void requireOwn(byte[] bytes) {
    String begun = new String(bytes, StandardCharsets.ISO_8859_1);
    if (!begun.isEmpty() && !begun.matches("[0-9a-f]{1,8}|[0-9a-f]{8} (\\{.*)?")) {
      throw damaged(1, "it is not a line of a state file");
    }
  }

  private void requireSame(Map<String, String> wanted, Map<String, String> found) {
    if (!wanted.get("entroqImport").equals(found.get("entroqImport"))) {
      throw damaged(1, "its format is not supported");
    }
    if (!wanted.equals(found)) {
      throw new CommandException(
          "state file %s belongs to an import from %s (%s) to %s, but this one is from %s (%s) to %s: name"
                  .formatted(
                      file,
                      found.get("from"),
                      found.get("api"),
                      found.get("to"),
                      wanted.get("from"),
                      wanted.get("api"),
                      wanted.get("to"))
              + " another file");
    }
  }

  private UnitName unit(Map<String, String> members, int number) {
    for (Kind kind : Kind.values()) {
      String name = members.get(kind.word());
      if (name != null && members.size() == 1) {
        return new UnitName(kind, name);
      }
    }
    throw damaged(number, "it names neither a queue nor a namespace");
  }

  private Map<String, String> read(String line, int number) {
    String json = line.length() > CHECKSUM_CHARS ? line.substring(CHECKSUM_CHARS + 1) : "";
    if (!line.equals(checked(json))) {
      throw damaged(number, "its checksum is wrong");
    }
    try {
      return members(json);
    } catch (IOException e) {
      throw damaged(number, e.getMessage());
    }
  }

  private static Map<String, String> members(String json) throws IOException {
    Map<String, String> members = new HashMap<>();
    try (JsonParser parser = JSON.createParser(json)) {
      JsonToken token = parser.nextToken();
      while (token != null) {
        if (token == JsonToken.VALUE_STRING) {
          members.put(parser.currentName(), parser.getText());
        }
        token = parser.nextToken();
      }
    }
    return members;
  }

  private CommandException damaged(int line, String why) {
    return new CommandException(
        "state file %s is damaged at line %d (%s): remove it; what the target already has is not copied again"
            .formatted(file, line, why));
  }

  @Override
  public boolean isDone(UnitName unit) {
    return done.contains(unit);
  }

  @Override
  public void done(UnitName unit) {
    if (!done.add(unit)) {
      return;
    }
    try {
      append(Map.of(unit.kind().word(), unit.name()));
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private void append(Map<String, String> members) throws IOException {
    StringWriter json = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(json)) {
      generator.writeStartObject();
      for (Map.Entry<String, String> member : members.entrySet()) {
        generator.writeStringField(member.getKey(), member.getValue());
      }
      generator.writeEndObject();
    }
    ByteBuffer line =
        ByteBuffer.wrap((checked(json.toString()) + '\n').getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      channel.write(line);
    }
  }

  private static String checked(String json) {
    CRC32C checksum = new CRC32C();
    checksum.update(json.getBytes(StandardCharsets.UTF_8));
    return "%08x %s".formatted(checksum.getValue(), json);
  }

  /** Removes the file, because the import is complete. */
  public void remove() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }
}
