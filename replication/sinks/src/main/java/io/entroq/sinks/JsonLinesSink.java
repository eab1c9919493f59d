package io.entroq.sinks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.entroq.api.EntroQException;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Appends effects to a file, one JSON object a line, and forces each batch to disk. Each line has
 * its position, so the file says where to resume; a line of the kind {@code mark} has nothing else.
 * Lines of the state with which a feed begins have none.
 *
 * <p>A last line that is not whole is removed on opening, as is a state that is not. To rotate,
 * stop the runner, and move all but the last line away.
 */
public final class JsonLinesSink implements FeedSink {
  private static final int BLOCK_BYTES = 64 << 10;

  private final Path path;

  /** Null while it is not open. */
  private FileChannel file;

  /**
   * @param path created if it does not exist; only one sink at a time may have it open
   */
  public JsonLinesSink(Path path) {
    this.path = path;
  }

  @Override
  public Optional<FeedPosition> open(FeedQuery query) {
    close();
    try {
      boolean isNew = Files.notExists(path);
      file =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (isNew) {
        forceName();
      }
      lock();
      return cut();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** A loss of power must not take the file away: the sink would begin anew. */
  private void forceName() throws IOException {
    try (FileChannel parent = FileChannel.open(path.toAbsolutePath().getParent())) {
      parent.force(true);
    }
  }

  private void lock() throws IOException {
    try {
      if (file.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException e) {
      // By a sink of this process.
    }
    throw SinkException.permanent(path + ": another sink has it open");
  }

  /** Removes what is behind the last line with a position. */
  private Optional<FeedPosition> cut() throws IOException {
    long end = lineStart(file.size());
    while (end > 0) {
      long start = lineStart(end - 1);
      Optional<FeedPosition> position = position(start, end);
      if (position.isPresent()) {
        file.truncate(end).position(end);
        return position;
      }
      end = start;
    }
    file.truncate(0).position(0);
    return Optional.empty();
  }

  /** Where the line begins whose end is here: behind the last line feed before. */
  private long lineStart(long end) throws IOException {
    long from = end;
    while (from > 0) {
      int length = (int) Math.min(BLOCK_BYTES, from);
      from -= length;
      byte[] block = read(from, length);
      for (int i = length - 1; i >= 0; i--) {
        if (block[i] == '\n') {
          return from + i + 1;
        }
      }
    }
    return 0;
  }

  private byte[] read(long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) >= 0) {
      // Goes on until all is read.
    }
    return bytes.array();
  }

  private Optional<FeedPosition> position(long start, long end) throws IOException {
    byte[] line = read(start, Math.toIntExact(end - start));
    try (JsonParser json = EffectJson.JSON.createParser(line)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          boolean isPosition = json.currentName().equals(EffectJson.POSITION);
          json.nextToken();
          if (isPosition) {
            return Optional.of(FeedPosition.of(json.getText()));
          }
          json.skipChildren();
        }
        return Optional.empty();
      }
    } catch (IOException | EntroQException e) {
      // Not written by this class; refused below.
    }
    throw SinkException.permanent(
        "%s: the line at byte %d is not of this sink; choose another file".formatted(path, start));
  }

  /** The file has no state yet, as it would have a position then. */
  @Override
  public void beginState() {}

  @Override
  public void apply(SinkBatch batch) {
    StringBuilder lines = new StringBuilder();
    for (Effect effect : batch.effects()) {
      lines.append(EffectJson.of(effect)).append('\n');
    }
    boolean isComplete = batch.position().isPresent();
    if (isComplete && !batch.endsWithPosition()) {
      lines.append(EffectJson.ofMark(batch.position().get())).append('\n');
    }
    ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(UTF_8));
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      if (isComplete) {
        file.force(false);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private SinkException failure(IOException e) {
    return SinkException.temporary(path + ": " + e, e);
  }

  @Override
  public boolean canBeginAgain() {
    return false;
  }

  @Override
  public void close() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw failure(e);
      } finally {
        file = null;
      }
    }
  }
}
