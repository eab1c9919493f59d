/** What figures were measured on. Any thread. */
package io.entroq.server.machine;
