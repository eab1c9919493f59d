package io.entroq.codec.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Messages whose bytes must never be read otherwise. */
public final class GoldenFiles {
  private static final String FOLDER = "/golden/v1/";

  private GoldenFiles() {}

  /** Name of the message in the schema; a golden name may have a suffix after a dash. */
  public static String messageName(String name) {
    return name.replaceAll("-.*", "");
  }

  /** The serialized message. */
  public static byte[] bytes(String name) {
    return HexFormat.of().parseHex(read(name + ".hex").replaceAll("\\s", ""));
  }

  /** The message in text format. */
  public static String text(String name) {
    return read(name + ".txtpb");
  }

  private static String read(String file) {
    try (InputStream in = GoldenFiles.class.getResourceAsStream(FOLDER + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
