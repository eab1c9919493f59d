package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.LogDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The file that identifies a member's directory: lines of text, the last one a checksum of the
 * others. It is replaced as a whole and forced.
 *
 * @param memberId the member, from 0
 * @param members number of members
 * @param clusterIdHigh upper half of the cluster's id, which is that of its log
 * @param clusterIdLow lower half; both are 0 until the first command of the log is applied
 */
record MemberFile(int memberId, int members, long clusterIdHigh, long clusterIdLow) {
  static final String NAME = ClusterMemberMarker.FILE_NAME;

  private static final int BYTES_MAX = 1_024;
  private static final Pattern TEXT =
      Pattern.compile(
          """
          entroq-member 1
          member (\\d{1,4})
          members (\\d{1,4})
          cluster-id ([0-9a-f]{16})([0-9a-f]{16})
          crc ([0-9a-f]{8})
          """);

  boolean hasClusterId() {
    return (clusterIdHigh | clusterIdLow) != 0;
  }

  MemberFile withClusterId(long high, long low) {
    return new MemberFile(memberId, members, high, low);
  }

  /** The cluster's id in hexadecimal. */
  String clusterId() {
    return String.format(Locale.ROOT, "%016x%016x", clusterIdHigh, clusterIdLow);
  }

  private String text() {
    return String.format(
        Locale.ROOT,
        """
        entroq-member 1
        member %d
        members %d
        cluster-id %s
        """,
        memberId,
        members,
        clusterId());
  }

  /** Writes or replaces the file in a directory. */
  void write(Path directory) throws IOException {
    String text = text();
    byte[] bytes = (text + String.format(Locale.ROOT, "crc %08x\n", crc(text))).getBytes(US_ASCII);
    Path next = directory.resolve(NAME + ".new");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer remaining = ByteBuffer.wrap(bytes);
      while (remaining.hasRemaining()) {
        channel.write(remaining);
      }
      channel.force(true);
    }
    Files.move(
        next,
        directory.resolve(NAME),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    LogDirectory.force(directory);
  }

  static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  /**
   * Reads the file in a directory.
   *
   * @throws MemberException if it is damaged
   */
  static MemberFile read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (Files.size(file) > BYTES_MAX) {
      throw damaged(file);
    }
    String text = new String(Files.readAllBytes(file), US_ASCII);
    Matcher lines = TEXT.matcher(text);
    if (!lines.matches()) {
      throw damaged(file);
    }
    MemberFile read =
        new MemberFile(
            Integer.parseInt(lines.group(1)),
            Integer.parseInt(lines.group(2)),
            Long.parseUnsignedLong(lines.group(3), 16),
            Long.parseUnsignedLong(lines.group(4), 16));
    if (crc(read.text()) != Integer.parseUnsignedInt(lines.group(5), 16)) {
      throw damaged(file);
    }
    return read;
  }

  private static MemberException damaged(Path file) {
    return new MemberException(
        ("%s is damaged: its format or checksum is wrong. Do not start the member from this directory;"
                + " replace it from a healthy member")
            .formatted(file.toAbsolutePath()));
  }

  private static int crc(String text) {
    CRC32C crc = new CRC32C();
    byte[] bytes = text.getBytes(US_ASCII);
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }
}
