/**
 * A protoc plugin that writes flyweights: decoders and encoders over Agrona buffers that allocate
 * nothing per message.
 *
 * <p>It runs in the build of {@code codec/record}, never at run time. Each {@code .proto} file with
 * the option {@code flyweight_package} becomes a Java package; {@code flyweight.proto} documents
 * the options. The generated classes call the hand-written reader, writer and rules of {@code
 * io.entroq.codec.message} and of their own package.
 */
package io.entroq.codec.generator;
