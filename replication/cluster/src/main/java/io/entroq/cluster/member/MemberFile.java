package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.entroq.engine.log.ClusterMemberMarker;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The file that identifies a member's directory: lines of text, the last one a checksum of the
 * others. It is replaced as a whole and forced. Positions are those of the cluster's log, in bytes.
 *
 * @param memberId the member, from 0
 * @param members number of members
 * @param clusterIdHigh upper half of the cluster's id, which is that of its log
 * @param clusterIdLow lower half; both are 0 until the first command of the log is applied
 * @param membersSince where the members were last changed; 0: never
 * @param closeRequest the last request to close the cluster for a change; 0: none
 * @param isClosed whether that request still holds
 * @param requestsFrom the first term whose requests hold: the members have gone on after earlier
 *     ones, which one that applies its log late still meets; 0 if all hold
 */
record MemberFile(
    int memberId,
    int members,
    long clusterIdHigh,
    long clusterIdLow,
    long membersSince,
    long closeRequest,
    boolean isClosed,
    long requestsFrom) {
  static final String NAME = ClusterMemberMarker.FILE_NAME;

  private static final int BYTES_MAX = 1_024;
  private static final int OFFSET_MASK = 0x3fff_ffff;
  private static final Pattern TEXT =
      Pattern.compile(
          """
          entroq-member 1
          member (\\d{1,4})
          members (\\d{1,4})
          cluster-id ([0-9a-f]{16})([0-9a-f]{16})
          (?:members-since (\\d{1,19})
          )?(?:(closed|reopened) (\\d{1,19})
          )?(?:requests-from-term (\\d{1,19})
          )?crc ([0-9a-f]{8})
          """);

  /** Whether it is that of a member, and of so many members. */
  boolean isOf(MemberConfig config) {
    return memberId == config.memberId() && members == config.members().size();
  }

  boolean hasClusterId() {
    return (clusterIdHigh | clusterIdLow) != 0;
  }

  MemberFile withClusterId(long high, long low) {
    return new MemberFile(
        memberId, members, high, low, membersSince, closeRequest, isClosed, requestsFrom);
  }

  MemberFile closed(long request) {
    return new MemberFile(
        memberId, members, clusterIdHigh, clusterIdLow, membersSince, request, true, requestsFrom);
  }

  /** The same members go on, and requests of terms before this one are over. */
  MemberFile reopened(long nextTerm) {
    return new MemberFile(
        memberId,
        members,
        clusterIdHigh,
        clusterIdLow,
        membersSince,
        closeRequest,
        false,
        Math.max(requestsFrom, nextTerm));
  }

  /** Other members go on from a position. */
  MemberFile changed(int newId, int newMembers, long position) {
    return new MemberFile(newId, newMembers, clusterIdHigh, clusterIdLow, position, 0, false, 0);
  }

  /** Whether a request to close the cluster is one that this member has not got over yet. */
  boolean isNewRequest(long position, long termId) {
    return position > Math.max(membersSince, closeRequest) && termId >= requestsFrom;
  }

  /**
   * What distinguishes the streams of these members from those of the same cluster before or after
   * a change, so that a member of one never hears one of the other; 0 if there was no change.
   */
  int streamOffset() {
    return membersSince == 0 ? 0 : crc(membersSince + " " + members) & OFFSET_MASK;
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
            clusterId())
        + line("members-since", membersSince)
        + line(isClosed ? "closed" : "reopened", closeRequest)
        + line("requests-from-term", requestsFrom);
  }

  /** Nothing for 0, so that older builds read the file as long as they can. */
  private static String line(String name, long value) {
    return value == 0 ? "" : name + " " + value + "\n";
  }

  /** Writes or replaces the file in a directory. */
  void write(Path directory) throws IOException {
    String text = text();
    byte[] bytes = (text + String.format(Locale.ROOT, "crc %08x\n", crc(text))).getBytes(US_ASCII);
    SmallFile.replace(directory, NAME, bytes, Forcer.DISK);
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
            Long.parseUnsignedLong(lines.group(4), 16),
            number(lines.group(5)),
            number(lines.group(7)),
            "closed".equals(lines.group(6)),
            number(lines.group(8)));
    if (crc(read.text()) != Integer.parseUnsignedInt(lines.group(9), 16)) {
      throw damaged(file);
    }
    return read;
  }

  private static long number(String text) {
    return text == null ? 0 : Long.parseLong(text);
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
