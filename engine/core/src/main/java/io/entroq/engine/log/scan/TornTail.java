package io.entroq.engine.log.scan;

import io.entroq.codec.command.CutEncoder;
import io.entroq.codec.message.Slice;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.agrona.MutableDirectBuffer;

/**
 * An end that a crash has torn: what a cut record says.
 *
 * @param afterSequence the last good record
 * @param file the segment file in which the bad bytes begin, null if that is not known
 * @param offset byte offset in the file
 * @param nonZeroBytes how many bytes from there on, in this segment and those behind it, are not
 *     zero
 * @param what what is wrong there
 */
public record TornTail(long afterSequence, Path file, long offset, long nonZeroBytes, String what) {
  /** Writes the payload of the cut record that names this, and returns its length. */
  public int encodeCut(MutableDirectBuffer buffer, int bufferOffset) {
    byte[] name = segmentName().getBytes(StandardCharsets.UTF_8);
    return new CutEncoder()
        .wrap(buffer, bufferOffset)
        .afterSequence(afterSequence)
        .segment(new Slice(name))
        .cutOffset(offset)
        .droppedBytes(nonZeroBytes)
        .length();
  }

  /** Run and file, without where the directory happens to be. */
  private String segmentName() {
    return file == null ? "" : file.getParent().getFileName() + "/" + file.getFileName();
  }
}
