/**
 * The records of every topic. Their JSON form is the contract between the modules and between
 * releases: a record only gains optional members. A sealed type carries its case in the member
 * {@code kind}.
 */
@NullMarked
package dev.millrace.schemas.record;

import org.jspecify.annotations.NullMarked;
