package io.entroq.engine.log.scan;

import io.entroq.codec.command.CutEncoder;
import io.entroq.codec.message.Slice;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.agrona.MutableDirectBuffer;

/**
 * The incomplete end of a log after a crash; a cut record describes it.
 *
 * @param afterSequence the last good record
 * @param file the segment file in which the bad bytes begin; null if unknown
 * @param offset their byte offset in the file
 * @param nonZeroBytes number of nonzero bytes from there on, in this and later segments
 * @param what what is wrong
 */
public record TornTail(long afterSequence, Path file, long offset, long nonZeroBytes, String what) {
  /** Writes the payload of the cut record that describes this, and returns its length. */
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

  /** Run and file name, without the data directory. */
  private String segmentName() {
    return file == null ? "" : file.getParent().getFileName() + "/" + file.getFileName();
  }
}
