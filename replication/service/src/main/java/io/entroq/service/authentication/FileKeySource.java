package io.entroq.service.authentication;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file with keys, which may be replaced at any time. */
record FileKeySource(Path path) implements KeySource {
  @Override
  public byte[] read() throws IOException {
    try (InputStream file = Files.newInputStream(path)) {
      byte[] bytes = file.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new IOException("it has more than %,d bytes".formatted(BYTES_MAX));
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new IOException("the file does not exist", e);
    }
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public String description() {
    return path.toString();
  }
}
